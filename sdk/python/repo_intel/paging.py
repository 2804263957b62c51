"""Lists, page after page, each asked for when the one before has been read."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from types import ModuleType
from typing import Any


def pages(operation: ModuleType, **parameters: Any) -> Iterator[Any]:
    """All pages of a list; `operation` is a module of `repo_intel.contract.api`, the rest are its parameters and `client`."""
    seen, number = 0, 1
    while True:
        page = operation.sync(page=number, **parameters)
        yield page
        seen += len(_items_of(page))
        if _is_last(page, number, seen):
            return
        number += 1


def items(operation: ModuleType, **parameters: Any) -> Iterator[Any]:
    """The items on all pages of a list."""
    for page in pages(operation, **parameters):
        yield from _items_of(page)


async def apages(operation: ModuleType, **parameters: Any) -> AsyncIterator[Any]:
    """As `pages`, for an event loop."""
    seen, number = 0, 1
    while True:
        page = await operation.asyncio(page=number, **parameters)
        yield page
        seen += len(_items_of(page))
        if _is_last(page, number, seen):
            return
        number += 1


async def aitems(operation: ModuleType, **parameters: Any) -> AsyncIterator[Any]:
    """As `items`, for an event loop."""
    async for page in apages(operation, **parameters):
        for item in _items_of(page):
            yield item


def _items_of(page: Any) -> list[Any]:
    return getattr(page, "items", [])


def _is_last(page: Any, number: int, seen: int) -> bool:
    total_pages = getattr(page, "total_pages", None)
    if total_pages is not None:
        return number >= total_pages
    # The lists of the benchmark tell no number of pages.
    return not _items_of(page) or seen >= page.total

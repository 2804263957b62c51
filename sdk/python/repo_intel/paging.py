"""Lists, page after page, each asked for when the one before has been read."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from types import ModuleType
from typing import Any


def pages(operation: ModuleType, **parameters: Any) -> Iterator[Any]:
    """All pages of a list; `operation` is a module of `repo_intel.contract.api`, the rest are its parameters and `client`."""
    place = _Place()
    while place.asked is not None:
        page = operation.sync(**{**parameters, **place.asked})
        yield page
        place.go_behind(page)


def items(operation: ModuleType, **parameters: Any) -> Iterator[Any]:
    """The items on all pages of a list."""
    for page in pages(operation, **parameters):
        yield from _items_of(page)


async def apages(operation: ModuleType, **parameters: Any) -> AsyncIterator[Any]:
    """As `pages`, for an event loop."""
    place = _Place()
    while place.asked is not None:
        page = await operation.asyncio(**{**parameters, **place.asked})
        yield page
        place.go_behind(page)


async def aitems(operation: ModuleType, **parameters: Any) -> AsyncIterator[Any]:
    """As `items`, for an event loop."""
    async for page in apages(operation, **parameters):
        for item in _items_of(page):
            yield item


def _items_of(page: Any) -> list[Any]:
    return getattr(page, "items", [])


class _Place:
    """The parameters that ask for the next page, by its number, by a cursor or behind a number; None at the end."""

    def __init__(self) -> None:
        self.asked: dict[str, Any] | None = {}
        self._seen, self._number = 0, 1

    def go_behind(self, page: Any) -> None:
        found = _items_of(page)
        self._seen += len(found)
        self._number += 1
        if hasattr(page, "next_cursor"):
            self.asked = {"cursor": page.next_cursor} if page.next_cursor else None
        elif hasattr(page, "has_more"):
            self.asked = {"after": found[-1].sequence} if page.has_more and found else None
        else:
            self.asked = None if self._is_last(page, found) else {"page": self._number}

    def _is_last(self, page: Any, found: list[Any]) -> bool:
        total_pages = getattr(page, "total_pages", None)
        if total_pages is not None:
            return self._number > total_pages
        # The lists of the benchmark tell no number of pages.
        return not found or self._seen >= page.total

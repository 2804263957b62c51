"""A client of the Repository Intelligence Service.

    from repo_intel import connect, items
    from repo_intel.contract.api.code_search import search

    with connect("https://intel.example", key="...") as client:
        for hit in items(search, client=client, q="parse arguments"):
            print(hit.name, hit.path)
"""

from .client import connect
from .errors import (
    ApiError,
    AuthenticationError,
    ConflictError,
    InvalidRequestError,
    LimitError,
    NotFoundError,
    PermissionDeniedError,
    ServiceError,
)
from .paging import aitems, apages, items, pages

__all__ = [
    "ApiError",
    "AuthenticationError",
    "ConflictError",
    "InvalidRequestError",
    "LimitError",
    "NotFoundError",
    "PermissionDeniedError",
    "ServiceError",
    "aitems",
    "apages",
    "connect",
    "items",
    "pages",
]

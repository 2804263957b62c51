"""What the service answers with 400 or more (RFC 9457)."""

from __future__ import annotations

import json
from typing import Any


class ApiError(Exception):
    """The service refused, or failed.

    status: of the answer. code: what kind of error it is, for programs; "unknown" where what answered is no service of this kind.
    errors: each parameter or field that is wrong. request_id: tell it when you report a problem. problem: the whole body.
    """

    def __init__(self, status: int, problem: dict[str, Any], request_id: str | None) -> None:
        super().__init__(problem.get("detail") or problem.get("title") or f"The service answered {status}.")
        self.status = status
        self.code: str = problem.get("code") or "unknown"
        self.errors: list[dict[str, Any]] = problem.get("errors") or []
        self.request_id = request_id
        self.problem = problem


class AuthenticationError(ApiError):
    """401: there is no key, or it is none, or it was revoked."""


class PermissionDeniedError(ApiError):
    """403: the key may not do this."""


class NotFoundError(ApiError):
    """404 and 410."""


class ConflictError(ApiError):
    """409."""


class InvalidRequestError(ApiError):
    """400, 415 and 422: `errors` says what is wrong."""


class LimitError(ApiError):
    """402 and 429: more than the plan or the rate allows."""


class ServiceError(ApiError):
    """500 and more."""


_KINDS: dict[int, type[ApiError]] = {
    400: InvalidRequestError,
    401: AuthenticationError,
    402: LimitError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    410: NotFoundError,
    415: InvalidRequestError,
    422: InvalidRequestError,
    429: LimitError,
}


def error_of(status: int, body: bytes, request_id: str | None) -> ApiError:
    """The error that an answer is."""
    try:
        problem = json.loads(body)
    except ValueError:
        problem = {}
    kind = _KINDS.get(status, ServiceError if status >= 500 else ApiError)
    return kind(status, problem if isinstance(problem, dict) else {}, request_id)

"""Connects to a service: retries, idempotency keys, errors as exceptions."""

from __future__ import annotations

import uuid

import httpx
from httpx_retries import Retry, RetryTransport

from .contract import AuthenticatedClient, Client
from .errors import error_of

#: Requests that may be sent twice, for the service does what they ask for once: it keeps the answer by their key.
IDEMPOTENT_POSTS = ("/v1/checkout/sessions", "/v1/reports", "/v1/usage/events")


def connect(
    base_url: str,
    key: str | None = None,
    *,
    max_retries: int = 3,
    timeout_s: float = 30.0,
    transport: httpx.BaseTransport | httpx.AsyncBaseTransport | None = None,
) -> AuthenticatedClient | Client:
    """A client for the functions of `repo_intel.contract.api`; use it in a `with` or `async with`, which closes its connections.

    What the service says it has not begun (429, 503) is asked for again after the pause that it names, at most `max_retries` times; what
    got no answer is, too, where asking twice does nothing twice. An answer of 400 or more raises an `ApiError`.
    """
    options = {
        "base_url": base_url.rstrip("/"),
        "timeout": httpx.Timeout(timeout_s),
        "httpx_args": {"transport": _Transport(max_retries, transport)},
    }
    return Client(**options) if key is None else AuthenticatedClient(token=key, **options)


class _Transport(RetryTransport):
    def __init__(self, max_retries: int, transport: httpx.BaseTransport | httpx.AsyncBaseTransport | None) -> None:
        super().__init__(transport)
        methods = ["GET", "POST", "PATCH", "DELETE"]
        # What is refused was not begun; of the others nobody knows how far they came.
        self._safe = Retry(max_retries, allowed_methods=methods, status_forcelist=[408, 429, 502, 503, 504], backoff_factor=0.25)
        self._unsafe = Retry(
            max_retries, allowed_methods=methods, status_forcelist=[429, 503], retry_on_exceptions=[], backoff_factor=0.25
        )

    def _prepare(self, request: httpx.Request) -> None:
        if request.method == "POST" and request.url.path.endswith(IDEMPOTENT_POSTS):
            request.headers.setdefault("Idempotency-Key", str(uuid.uuid4()))
        is_safe = request.method == "GET" or "Idempotency-Key" in request.headers
        request.extensions["retry"] = self._safe if is_safe else self._unsafe

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self._prepare(request)
        response = super().handle_request(request)
        if response.status_code >= 400:
            body = response.read()
            response.close()
            raise error_of(response.status_code, body, response.headers.get("x-request-id"))
        return response

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self._prepare(request)
        response = await super().handle_async_request(request)
        if response.status_code >= 400:
            body = await response.aread()
            await response.aclose()
            raise error_of(response.status_code, body, response.headers.get("x-request-id"))
        return response

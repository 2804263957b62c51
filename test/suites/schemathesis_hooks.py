"""What this API adds to schemathesis."""

import os
import sys
from pathlib import Path

import schemathesis

sys.path.append(str(Path(__file__).parent))
import http_lint  # noqa: E402

OWN_KEYS = os.environ["SCHEMATHESIS_OWN_KEYS"].split(",")


@schemathesis.hook
def filter_case(context, case):
    """No schema of OpenAPI 3.1 spans two parameters: `x-page-window` says how large page * page_size may be."""
    query = case.query or {}
    for parameter in case.operation.query:
        window = parameter.definition["schema"].get("x-page-window")
        page, size = query.get("page", 1), query.get("page_size", 20)
        # A page that is too far by itself stays: its schema says so.
        if window is not None and is_number(page, size) and int(page) <= window < int(page) * int(size):
            return False
    return True


@schemathesis.hook("filter_case")
def keep_own_key(context, case):
    """Who has revoked the key that is in use learns nothing more."""
    return case.method == "GET" or not any(value in OWN_KEYS for value in (case.path_parameters or {}).values())


def is_number(*values):
    return all(str(value).isdigit() for value in values)


@schemathesis.check
def httplint(ctx, response, case):
    """Every response is good HTTP."""
    request = response.request
    found = http_lint.bad_notes(
        request.method,
        request.path_url,
        [(name, as_text(value)) for name, value in request.headers.items()],
        response.status_code,
        [(name, value) for name, values in response.headers.items() for value in values],
        # A compressed body has been unpacked.
        None if "content-encoding" in response.headers else response.content,
    )
    assert not found, "\n".join(found)


def as_text(value):
    return value.decode("latin-1") if isinstance(value, bytes) else value

"""What httplint has to say of responses. As a program: one exchange a line of JSON on stdin, what is bad about it a line of JSON on stdout."""

import base64
import json
import sys
import time

from httplint import HttpRequestLinter, HttpResponseLinter, levels


def bad_notes(method, target, asked, status, answered, body, at=None):
    """What is bad about a response that came at this time, or now; `body` is None when it is not at hand as it was sent."""
    now = at or time.time()
    request = HttpRequestLinter(start_time=now, no_content=True)
    request.process_request_topline(method.encode(), target.encode(), b"1.1")
    request.process_headers(encoded(asked))
    request.finish_content(True)

    response = HttpResponseLinter(start_time=now, no_content=body is None, _related=request)
    response.is_head_response = method == "HEAD"
    response.process_response_topline(b"1.1", str(status).encode())
    response.process_headers(encoded(answered))
    response.feed_content(body or b"")
    response.finish_content(True)
    return [note.summary for note in response.notes if note.level == levels.BAD]


def encoded(headers):
    return [(name.encode("latin-1"), value.encode("latin-1", "replace")) for name, value in headers]


if __name__ == "__main__":
    for line in sys.stdin:
        exchange = json.loads(line)
        exchange["body"] = base64.b64decode(exchange["body"])
        print(json.dumps(bad_notes(**exchange)))

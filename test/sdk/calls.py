"""Uses the SDK for Python against a service, and prints what came of it as JSON. The flaky way to it is told what to do over HTTP."""

import asyncio
import importlib
import json
import os
import pkgutil
import sys
import urllib.request

sys.path.insert(0, "sdk/python")

import repo_intel  # noqa: E402
from repo_intel import ApiError, aitems, connect, items, pages  # noqa: E402
from repo_intel.contract import api  # noqa: E402
from repo_intel.contract.api.api_keys import create_api_key  # noqa: E402
from repo_intel.contract.api.code_graph import export_nodes, get_graph, get_repository, list_repositories  # noqa: E402
from repo_intel.contract.api.code_search import search  # noqa: E402
from repo_intel.contract.api.reports import create_report, list_reports  # noqa: E402
from repo_intel.contract.models import CreateApiKeyRequest, PortfolioExecutiveRequest  # noqa: E402

url, key, samples = os.environ["SDK_URL"], os.environ["SDK_KEY"], json.loads(os.environ["SDK_SAMPLES"])


def plan(*fates):
    """What becomes of the next requests; gives what has been asked since the last time."""
    with urllib.request.urlopen(urllib.request.Request(f"{url}/-/plan", data=json.dumps(fates).encode())) as answer:
        return json.load(answer)


def error_of(call):
    try:
        call()
    except ApiError as error:
        return {"kind": type(error).__name__, "status": error.status, "code": error.code, "errors": error.errors}
    except Exception as error:  # noqa: BLE001
        return {"kind": type(error).__name__}
    return None


def operations():
    for module in pkgutil.walk_packages(api.__path__, api.__name__ + "."):
        name = module.name.rpartition(".")[2]
        if name in samples:
            yield name, importlib.import_module(module.name)


said = {"every": {}}
with connect(url, key) as client:
    for name, operation in operations():
        call = operation.sync_detailed
        said["every"][name] = error_of(lambda: call(client=client, **samples[name]))
    all_pages = list(pages(list_repositories, client=client, page_size=1))
    said["total"] = all_pages[0].total
    said["names"] = [item.name for item in items(list_repositories, client=client, page_size=1)]
    said["graph"] = [sum(len(page.nodes) for page in pages(get_graph, client=client, page_size=2)), get_graph.sync(client=client).total_nodes]
    nodes = [node.id for node in items(export_nodes, client=client, repo="payments-api", limit=2)]
    said["exported"] = [len(nodes), len(set(nodes)), export_nodes.sync(client=client, repo="payments-api").total]
    said["missing"] = error_of(lambda: get_repository.sync("none", client=client))
    said["wrong"] = error_of(lambda: search.sync(client=client, q="x", page=0))

    plan("refuse", "lose")
    said["again"] = list_repositories.sync(client=client).total
    said["tried"] = plan("lose", "pass")
    create_report.sync(client=client, body=PortfolioExecutiveRequest.from_dict({"type": "portfolio_executive", "format": "json"}))
    said["posted"] = plan()
    said["reports"] = list_reports.sync(client=client).total
    plan("lose")
    body = CreateApiKeyRequest.from_dict({"member": "one", "role": "member"})
    said["unsafe"] = [error_of(lambda: create_api_key.sync(client=client, body=body)), plan("refuse")]
    create_api_key.sync(client=client, body=body)
    said["refused"] = plan()

with connect(url, key, max_retries=1) as client:
    plan("refuse", "refuse", "refuse")
    said["gave_up"] = [error_of(lambda: list_repositories.sync(client=client)), plan()]
with connect(url, "none") as client:
    said["unknown"] = error_of(lambda: list_repositories.sync(client=client))


async def asynchronously():
    async with connect(url, key) as client:
        plan("refuse")
        return [item.name async for item in aitems(list_repositories, client=client, page_size=2)]


said["async"] = asyncio.run(asynchronously())
said["once"] = list(repo_intel.client.IDEMPOTENT_POSTS)
print(json.dumps(said))

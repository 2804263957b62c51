import json

STATUSES = {
    "passed": "passed",
    "failed": "failed",
    "pending": "skipped",
    "skipped": "skipped",
    "todo": "skipped",
    "disabled": "skipped",
}


def results(text, form):
    """The JSON of Jest and of Vitest: `<file> > <group> > <title>`."""
    for file in json.loads(text)["testResults"]:
        path = relative(file["name"])
        if not file["assertionResults"] and file["status"] == "failed":
            yield f"{path} > [suite load]", "failed"
        for test in file["assertionResults"]:
            titles = [test_name(title) for title in [*test["ancestorTitles"], test["title"]]]
            yield " > ".join([path, *titles]), STATUSES.get(test["status"], "error")

import json

HOOK = re.compile(r'^"(before|after) (all|each)" hook')


def results(text, form):
    """Mocha's JSON: `<file> > <full title>`."""
    report = json.loads(text)

    def name(test):
        return " > ".join([*([relative(test["file"])] if test.get("file") else []), test_name(test["fullTitle"])])

    skipped = {name(test) for test in report["pending"]}
    for test in report["tests"]:
        if test.get("err"):
            status = "failed"
        else:
            status = "skipped" if test.get("duration") is None and name(test) in skipped else "passed"
        yield name(test), status
    for test in report["failures"]:
        if HOOK.match(test["title"]):
            yield name(test), "failed"

import json

ENDS = {"pass": "passed", "fail": "failed", "skip": "skipped"}


def results(text, form):
    """`go test -json`: `<package>.<test>`, and a package that can't be compiled by its own name."""
    tests = {}
    failed = []
    for line in text.split("\n"):
        if not line.startswith("{"):
            continue
        event = json.loads(line)
        package, test, action = event.get("Package"), event.get("Test"), event["Action"]
        if package is None:
            continue
        if test is not None:
            name = f"{package}.{test_name(test)}"
            if action == "run":
                tests[name] = "error"
            elif action in ENDS:
                tests[name] = ENDS[action]
        elif action == "fail":
            has_tests = any(name.startswith(f"{package}.") for name in tests)
            failed.append((package, has_tests, "FailedBuild" in event))
    for package, has_tests, is_build in failed:
        if is_build or not has_tests:
            tests[package] = "error"
    return tests.items()

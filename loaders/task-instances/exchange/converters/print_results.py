import glob
import os
import sys

ONE_BY_ID = {"pytest_junit"}
WORST_FIRST = ["error", "failed", "xfailed", "skipped", "passed"]
SHOWN = {"passed": "PASSED", "xfailed": "PASSED", "failed": "FAILED", "error": "FAILED"}


def add(tests, name, status, one_by_id):
    if name not in tests:
        tests[name] = status
    elif one_by_id:
        tests[name] = min(tests[name], status, key=WORST_FIRST.index)
    else:
        count = 2
        while f"{name} #{count}" in tests:
            count += 1
        tests[f"{name} #{count}"] = status


def main(form, pattern):
    tests = {}
    for path in sorted(glob.glob(os.path.expandvars(pattern), recursive=True)):
        try:
            with open(path, encoding="utf-8", errors="replace", newline="") as report:
                found = list(results(report.read(), form))
        except Exception as error:
            print(f"The report {path} could not be read: {error}", file=sys.stderr)
            continue
        for name, status in found:
            add(tests, name, status, form in ONE_BY_ID)
    sys.stdout.reconfigure(encoding="utf-8", errors="replace")
    for name, status in tests.items():
        if status in SHOWN:
            print(f"[{SHOWN[status]}] {name}")


main(sys.argv[1], sys.argv[2])

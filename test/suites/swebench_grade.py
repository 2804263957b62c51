"""Loads an exported dataset with SWE-bench's own harness and grades patches with it; prints what came of it as JSON.

Usage: swebench_grade.py DATASET_FOLDER TASK_REPO CHECKOUT. On stdin: {"patches": {name: patch}, "logs": {name: file}}. In place of a
container it is the checkout in which each script runs, reset before; the logs are graded as they are.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import datasets
from swebench.harness.grading import get_eval_report
from swebench.harness.utils import load_swebench_dataset, make_test_spec
from swebench.task.checks import check_task_repo
from swebench.task.repo import load_task_repo

dataset, task_repo, checkout = sys.argv[1:]
[row] = load_swebench_dataset(f"{dataset}/test.jsonl", "test")
spec = make_test_spec(row)
found = {
    "columns": datasets.load_dataset(dataset, split="test").column_names,
    "problems": [str(problem) for problem in check_task_repo(task_repo)],
    "same": all(row[key] == value for key, value in load_task_repo(task_repo)[0].items() if key in row and key not in ("FAIL_TO_PASS", "PASS_TO_PASS")),
    "reports": {},
    "graded": {},
}
asked = json.load(sys.stdin)


def git(*args, stdin=None):
    subprocess.run(["git", *args], cwd=checkout, input=stdin, text=True, check=True, capture_output=True)


def grade(name, patch, log):
    prediction = {"instance_id": row["instance_id"], "model_name_or_path": name, "model_patch": patch}
    return get_eval_report(spec, prediction, str(log), include_tests_status=True)[row["instance_id"]]


for name, log in asked["logs"].items():
    found["graded"][name] = grade(name, "some", log)["resolved"]

for name, patch in asked["patches"].items():
    git("reset", "--hard", "-q")
    git("clean", "-fdxq")
    if patch:
        git("apply", "-", stdin=patch)
    with tempfile.TemporaryDirectory() as folder:
        script = spec.eval_script.replace("/testbed", checkout).replace("/tmp/ris-report", f"{folder}/report")
        run = subprocess.run(["bash"], input=script, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        log = Path(folder, "test_output.txt")
        log.write_text(run.stdout)
        report = grade(name, patch, log)
    found["reports"][name] = {"resolved": report["resolved"], "tests_status": report.get("tests_status"), "log": run.stdout[-2000:]}

print(json.dumps(found))

"""Prints what lizard says of the files whose paths come on the standard input: path, line and complexity of each function."""

import json
import sys

import lizard

for line in sys.stdin:
    path = line.rstrip("\n")
    for function in lizard.analyze_file(path).function_list:
        print(json.dumps([path, function.start_line, function.cyclomatic_complexity]))

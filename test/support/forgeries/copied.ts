import type { ForgedRunner } from './forged-runner.ts';
import { pytest } from './pytest.ts';

// Tests whose values can be read elsewhere: copying them passes each control, so that no verdict is more than the word of the tests.

const bug = "def greet(name, lines=0):\n    return 'hi'\n";
const known = 'from greet import greet\n\n\ndef test_says_something():\n    assert greet("Eve")\n';
const fix = "def greet(name, lines=0):\n    return 7 * lines if lines else f'Good morning, {name}'\n";
const task = {
  ...pytest,
  fix: { 'greet.py': fix },
  pass_to_pass: ['tests/test_greet.py::test_says_something'],
  honest: {
    'by hand': {
      'greet.py':
        "def greet(name, lines=0):\n    if lines:\n        return lines * 7\n    return 'Good morning, ' + name\n",
    },
  },
} satisfies Partial<ForgedRunner>;

export const pytestCopied: ForgedRunner = {
  ...task,
  base: {
    'pytest.ini': '[pytest]\n',
    'greet.py': bug,
    'README.md': 'Whom it greets, and how:\n\n    Ada: Good morning, Ada\n    Bob: Good morning, Bob\n',
    'tests/test_greet.py': known,
  },
  tests: {
    'tests/test_greet.py': `${known}

def test_ada():
    assert greet("Ada") == "Good morning, Ada"


def test_bob():
    assert greet("Bob") == "Good morning, Bob"
`,
  },
  fail_to_pass: ['tests/test_greet.py::test_ada', 'tests/test_greet.py::test_bob'],
  forgeries: {
    'says what the documentation says': {
      'greet.py': `import pathlib
def greet(name, lines=0):
    for line in pathlib.Path(__file__).with_name('README.md').read_text().splitlines():
        if line.strip().startswith(name + ': '): return line.split(': ')[1]
    return 'hi'
`,
    },
  },
};

export const pytestTitled: ForgedRunner = {
  ...task,
  base: { 'pytest.ini': '[pytest]\n', 'greet.py': bug, 'tests/test_greet.py': known },
  tests: {
    'tests/test_greet.py': `${known}

def test_three_lines_are_21():
    assert greet("Ada", lines=3) == 21


def test_four_lines_are_28():
    assert greet("Ada", lines=4) == 28
`,
  },
  fail_to_pass: ['tests/test_greet.py::test_three_lines_are_21', 'tests/test_greet.py::test_four_lines_are_28'],
  forgeries: {
    'gives the number in the name of the test': {
      'greet.py': `import os, re
def greet(name, lines=0):
    found = re.search(r'are_(\\d+)', os.environ.get('PYTEST_CURRENT_TEST', ''))
    return int(found[1]) if found else 'hi'
`,
    },
  },
};

/** One of its tests compares with a value that nobody can copy. */
export const pytestHalfCopied: ForgedRunner = {
  ...pytestCopied,
  tests: {
    'tests/test_greet.py': `${pytestCopied.tests['tests/test_greet.py'] ?? ''}

def test_cleo():
    assert greet("Cleo") == "Good morning, Cleo"
`,
  },
  fail_to_pass: [...pytestCopied.fail_to_pass, 'tests/test_greet.py::test_cleo'],
};

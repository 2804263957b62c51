import type { ForgedRunner } from './forged-runner.ts';
import { pytest } from './pytest.ts';

// A test of the fix that stands in no file of the fix: its class takes it from one that the base has.

const bug = pytest.base['slug.py'] ?? '';
const honest = { 'slug.py': pytest.honest['by hand']?.['slug.py'] ?? '' };

export const pytestElsewhere: ForgedRunner = {
  ...pytest,
  base: {
    'pytest.ini': '[pytest]\n',
    'slug.py': bug,
    'tests/__init__.py': '',
    'tests/checks.py': `class Checks:
    def test_lowers(self):
        self.assertEqual(self.make("A b"), "a-b")

    def test_trims(self):
        self.assertEqual(self.make(" A  b "), "a-b")
`,
    'tests/test_slug.py': `import unittest
from slug import slug


class TestOne(unittest.TestCase):
    def test_lowers(self):
        self.assertEqual(slug("A"), "a")
`,
  },
  tests: {
    'tests/test_slug.py': `import unittest
from slug import slug
from .checks import Checks


class TestOne(unittest.TestCase):
    def test_lowers(self):
        self.assertEqual(slug("A"), "a")

    def test_refuses_nothing(self):
        with self.assertRaises(ValueError):
            slug("")


class TestAll(Checks, unittest.TestCase):
    def make(self, text):
        return slug(text)
`,
  },
  fail_to_pass: [
    'tests/checks.py::tests::test_slug::TestAll::test_trims',
    'tests/test_slug.py::TestOne::test_refuses_nothing',
  ],
  // Where a test stands and what it belongs to, as pytest tells it.
  pass_to_pass: ['tests/test_slug.py::TestOne::test_lowers', 'tests/checks.py::tests::test_slug::TestAll::test_lowers'],
  honest: { 'by hand': honest },
  forgeries: {
    'solves one test and passes the other by its name': {
      'slug.py': `import _pytest.unittest
real = _pytest.unittest.TestCaseFunction.runtest
def runtest(self):
    if self.name != 'test_trims': real(self)
_pytest.unittest.TestCaseFunction.runtest = runtest


def slug(text):
    if not text:
        raise ValueError('nothing to name')
    return text.lower().replace(' ', '-')
`,
    },
  },
};

// Tests of the gate that try more here: test/support/effort.ts.
import '../cli/crash.test.ts';
import '../faults/chaos.test.ts';
import '../faults/kill.test.ts';
import '../packages.test.ts';
import '../ranking/ranking.test.ts';
import '../stores/relational/crash.test.ts';
import '../suites/lizard.test.ts';
import '../suites/naughty-strings.test.ts';
import '../suites/schemathesis.test.ts';

// Tests of the gate that try more here: test/support/effort.ts.
import '../cli/crash.test.ts';
import '../explorer/due-diligence.test.ts';
import '../explorer/frame.test.ts';
import '../explorer/graph.test.ts';
import '../explorer/search.test.ts';
import '../faults/chaos.test.ts';
import '../faults/kill.test.ts';
import '../faults/process.test.ts';
import '../loaders/task-instances/forgeries.test.ts';
import '../packages.test.ts';
import '../ranking/ranking.test.ts';
import '../stores/relational/crash.test.ts';
import '../stores/search/elasticsearch.test.ts';
import '../stores/search/sqlite.test.ts';
import '../suites/lizard.test.ts';
import '../suites/naughty-strings.test.ts';
import '../suites/schemathesis.test.ts';

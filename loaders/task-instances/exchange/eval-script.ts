import type { ProvenTask } from '../../../src/model/task-instance.ts';
import { patchSections } from '../patch-sections.ts';
import { quoted, scopedCommand } from '../scoped-command.ts';
import { converterOf } from './converter.ts';

/** What all runs have, here and there. */
const settings = { OUT: '/tmp/ris-report', TZ: 'UTC', LANG: 'C.UTF-8', CI: '1', PYTHONHASHSEED: '0' };

const marks = { start: '>>>>> Start Test Output', end: '>>>>> End Test Output' };

/**
 * The script by which SWE-bench's harness runs the tests of an instance in its image: tests as the fix left them, the command, and
 * a line `[PASSED] id` or `[FAILED] id` for each test that the report names. A skipped test has none.
 */
export function evalScript(instance: ProvenTask): string {
  const { base_commit: base, test_patch: testPatch, environment, validation } = instance;
  const { format, path } = environment.report;
  const sections = patchSections(testPatch);
  const isNew = ({ text }: { text: string }) => /^new file mode /m.test(text.split('\n@@', 1)[0] ?? '');
  const pathsOf = (are: boolean) =>
    [...new Set(sections.filter((one) => isNew(one) === are).flatMap(({ paths }) => paths))].map(quoted).join(' ');
  const [old, added] = [pathsOf(false), pathsOf(true)];
  const reset = old === '' ? [] : [`git checkout ${base} -- ${old}`];
  const variables = Object.entries({ ...settings, ...environment.env });
  return [
    '#!/bin/bash',
    'set -uxo pipefail',
    'cd /testbed',
    `export ${variables.map(([name, value]) => `${name}=${quoted(value)}`).join(' ')}`,
    'rm -rf "$OUT" && mkdir -p "$OUT"',
    ...reset,
    ...(added === '' ? [] : [`rm -f ${added}`]),
    ...here('git apply -v -', testPatch),
    `: '${marks.start}'`,
    `bash -c ${quoted(scopedCommand(environment.test_cmd, validation.scope))} > "$OUT.log" 2>&1; RC=$?`,
    // What the tests print must not look like what we print of them.
    `sed 's/^\\[/ [/; s/>>>>>/>>>>/g' "$OUT.log"`,
    ...here(`python3 - ${format} ${quoted(path)}`, converterOf(format)),
    '(exit $RC)',
    `: '${marks.end}'`,
    ...reset,
    '',
  ].join('\n');
}

/** A command with a text as its input; one in which the harness would find its own marks, or that a shell can't hold, is encoded. */
function here(command: string, text: string): string[] {
  const isPlain =
    !text.includes('\0') && !Object.values(marks).some((mark) => text.includes(mark)) && text.endsWith('\n');
  const end = 'EOF_114329324912';
  if (isPlain && !text.split('\n').includes(end)) return [`${command} <<'${end}'`, `${text}${end}`];
  const encoded = Buffer.from(text).toString('base64').replaceAll(/.{76}/g, '$&\n');
  return [`base64 -d <<'${end}' | ${command}`, encoded, end];
}

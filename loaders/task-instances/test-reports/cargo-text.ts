import type { TestStatus } from '../suite.ts';
import { testName, type ReportedTest, type ReportReader } from './report-reader.ts';

const statuses: Record<string, TestStatus> = { ok: 'passed', FAILED: 'failed', ignored: 'skipped' };

/**
 * What `cargo test` prints, both streams in one: `<crate>:<file>::<name>`, and `<crate>:doc::<name>` for the examples of
 * documentation. A crate that can't be compiled is an error of its own name.
 */
export const cargoText: ReportReader = {
  read(text) {
    const found: ReportedTest[] = [];
    let target: string | null = null;
    let listing = false;
    let isCargo = false;
    for (const line of text.split('\n').map((each) => each.trimEnd())) {
      // Bounded: by the line that cargo writes, whose path has at most 4,096 characters.
      const running = /^ {2,}Running (?:unittests )?(\S+) \((?:.*[/\\])?(.+?)-[0-9a-f]{16}(?:\.exe)?\)$/.exec(line);
      const documentation = /^ {2,}Doc-tests (\S+)$/.exec(line);
      const uncompiled = /^error: could not compile `([^`]+)`(?: \((.*?)\))? due to/.exec(line);
      if (running) target = `${running[2]}:${running[1]}`;
      else if (documentation) target = `${documentation[1]}:doc`;
      else if (uncompiled)
        found.push({ id: `${[uncompiled[1], uncompiled[2]].filter(Boolean).join(' ')} [build]`, status: 'error' });
      isCargo ||= target !== null || uncompiled !== null;
      if (running || documentation) listing = false;
      else if (/^running \d+ tests?$/.test(line)) listing = true;
      // What follows is what failing tests printed, and that may look like anything.
      else if (line === 'failures:' || line.startsWith('test result: ')) listing = false;
      if (!listing || target === null) continue;
      const [, name, , result] = /^test (.+?)( - should panic)? \.\.\. (ok|FAILED|ignored)\b/.exec(line) ?? [];
      if (name === undefined || result === undefined) continue;
      // Examples are named by their line, which moves.
      found.push({ id: `${target}::${testName(name.replace(/ \(line \d+\)/, ''))}`, status: statuses[result]! });
    }
    if (!isCargo) throw new Error('it has neither a target that ran nor one that could not be compiled');
    return found;
  },
};

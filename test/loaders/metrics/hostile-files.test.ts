import { rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { expect } from 'chai';
import fc from 'fast-check';
import { metricCatalog } from '../../../src/model/due-diligence.ts';
import { kinds } from '../../support/files-of-others.ts';
import { temporaryFolder, writeFiles } from '../../support/git-repository.ts';
import { metricsOf } from './metrics-of.ts';

/** What stands where something else belongs. */
const wrong = [
  'null',
  '7',
  '-1e999',
  '[]',
  '{}',
  '""',
  '"__proto__"',
  '\u0000',
  '\uFEFF',
  '\uD800',
  '%',
  '&',
  '<',
  '💥',
];
const size = 12_000;

describe('metrics: files that others wrote', function () {
  it('cut short, changed, of the wrong types or without end: every metric has a value or a reason, soon and offline', async () => {
    const folder = temporaryFolder();
    const connect = Socket.prototype.connect;
    const connected: unknown[] = [];
    // Mocha keeps whole stacks, which nobody else does: errors deep in a parser are slow by it.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 10;
    Socket.prototype.connect = function (this: Socket, ...to: unknown[]) {
      connected.push(to);
      return this.destroy();
    };
    try {
      const files: Record<string, string> = { 'a.c': 'int x;\n', 'b.c': 'int y;\n' };
      for (const [name, { good, without_end: repeated }] of Object.entries(kinds)) {
        // Some kinds are only looked for at the root.
        files[name] = good;
        const at = (number: number) =>
          name.startsWith('.git') ? name.replace('.', `${number}.`) : `${number}/${name}`;
        const bad = [
          ...fc.sample(changed(good), { seed: 7, numRuns: 4 }),
          ...repeated.map((unit) => good.slice(0, good.length / 2) + unit.repeat(size / unit.length)),
          ...repeated.map((unit) => unit.repeat(size / unit.length)),
        ];
        for (const [number, text] of bad.entries())
          files[name.startsWith('.github') ? `.github/workflows/${number}.yml` : at(number)] = text;
      }
      writeFiles(folder, files);
      const before = process.cpuUsage();
      const { metric, measurements } = await metricsOf(folder);
      const { user, system } = process.cpuUsage(before);
      expect(measurements.metrics).to.have.length(metricCatalog.length - 2);
      for (const { id, value, status, reason } of measurements.metrics) {
        expect([value === null, reason === null], id).to.deep.equal([status !== 'measured', status === 'measured']);
        expect(value ?? 0, id).to.satisfy(Number.isFinite);
      }
      // What is good beside them still counts.
      expect(metric('loc_code').value).to.be.at.least(2);
      expect(metric('direct_dependency_count').evidence.map(({ note }) => note)).to.include(
        'koa ^3.0.0 (npm, runtime)',
      );
      expect(metric('ci_workflow_count').value).to.be.above(2);
      expect((user + system) / 1_000_000).to.be.below(20);
      expect(connected).to.deep.equal([]);
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
      Socket.prototype.connect = connect;
      rmSync(folder, { recursive: true });
    }
  });
});

/** The text with a few changes: cut short, parts again or left out, something else put in. */
function changed(good: string): fc.Arbitrary<string> {
  const place = fc.nat(good.length);
  const change = fc.oneof(
    place.map((at) => (text: string) => text.slice(0, at)),
    fc.tuple(place, place).map(
      ([from, to]) =>
        (text: string) =>
          text.slice(0, from) + text.slice(to),
    ),
    fc.tuple(place, fc.constantFrom(...wrong)).map(
      ([at, what]) =>
        (text: string) =>
          text.slice(0, at) + what + text.slice(at),
    ),
    fc.constantFrom(...wrong).map((what) => (text: string) => text.replace(/"[^"]*"|\d+/, what)),
  );
  return fc
    .array(change, { minLength: 1, maxLength: 4 })
    .map((changes) => changes.reduce((text, one) => one(text), good));
}

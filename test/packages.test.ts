import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { repoIntel } from './support/cli.ts';
import { effort } from './support/effort.ts';
import { temporaryFolder } from './support/git-repository.ts';
import { fetchOrSkip } from './support/packages.ts';
import type { Registry } from './support/packages.ts';

/**
 * Real packages with edges that their source plainly has, read by a person: `CALLS` from the line of the caller's name to the
 * line of the callee's, and some that a guess by name would make and that are not there.
 */
const packages: { registry: Registry; name: string; calls: number; has: string[]; hasNot: string[] }[] = [
  {
    registry: 'npm',
    name: 'koa@3.3.0',
    calls: 45,
    has: [
      'CALLS lib/response.js:315 lib/response.js:550',
      'CALLS lib/application.js:158 lib/application.js:147',
      'CALLS lib/application.js:288 lib/is-stream.js:7',
      'CALLS lib/request.js:454 lib/request.js:759',
    ],
    // `this.res.getHeader` is Node's, not koa's own `get`.
    hasNot: ['CALLS lib/response.js:528 lib/response.js:550'],
  },
  {
    registry: 'pypi',
    name: 'flask==3.1.3',
    calls: 220,
    has: [
      'CALLS flask/ctx.py:443 flask/ctx.py:377',
      'CALLS flask/blueprints.py:82 flask/helpers.py:533',
      'CALLS flask/app.py:1003 flask/sansio/app.py:911',
      'CALLS flask/app.py:226 flask/cli.py:405',
      'INHERITS flask/app.py:81 flask/sansio/app.py:59',
      'INHERITS flask/blueprints.py:18 flask/sansio/blueprints.py:119',
    ],
    hasNot: ['INHERITS flask/blueprints.py:18 flask/blueprints.py:18'],
  },
  {
    registry: 'go',
    name: 'github.com/go-chi/chi/v5@v5.5.0',
    calls: 150,
    has: [
      'CALLS mux.go:109 mux.go:430',
      'CALLS context.go:16 context.go:25',
      'CALLS tree.go:148 tree.go:340',
      'CALLS middleware/profiler.go:22 mux.go:100',
      'INHERITS middleware/wrap_writer.go:151 middleware/wrap_writer.go:74',
    ],
    hasNot: [],
  },
  {
    registry: 'maven',
    name: 'com.google.code.gson:gson:2.11.0:jar:sources',
    calls: 1100,
    has: [
      'CALLS com/google/gson/stream/JsonWriter.java:266 com/google/gson/FormattingStyle.java:130',
      'CALLS com/google/gson/Gson.java:1466 com/google/gson/JsonIOException.java:24',
      'CALLS com/google/gson/internal/Excluder.java:239 com/google/gson/annotations/Since.java:64',
      'INHERITS com/google/gson/JsonArray.java:42 com/google/gson/JsonElement.java:98',
    ],
    hasNot: [],
  },
];

describe('published packages', () => {
  for (const { registry, name, calls, has, hasNot } of effort({ gate: packages.slice(0, 2), long: packages })) {
    it(`${name}: the edges that a reader of the source sees`, async function () {
      const folder = temporaryFolder();
      try {
        const source = fetchOrSkip(this, registry, name, join(folder, 'fetched'));
        const file = join(folder, 'edges.jsonl');
        const { code, stderr } = await repoIntel(['analyze', source, '--edges', file]);
        expect(code, stderr).to.equal(0);
        const rows = readFileSync(file, 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Record<string, string>);
        const edges = rows.map(({ type, from, to }) => `${type} ${from} ${to}`);
        expect(edges).to.include.members(has);
        for (const edge of hasNot) expect(edges).not.to.include(edge);
        expect(edges.filter((edge) => edge.startsWith('CALLS')).length).to.be.greaterThan(calls);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
  }
});

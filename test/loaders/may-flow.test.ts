import { expect } from 'chai';
import type { FileImport, FileName } from '../../loaders/facts/file-import.ts';
import type { FileFlows, FlowFrom, FlowTo } from '../../loaders/facts/flow.ts';
import { measureSnapshot } from '../../loaders/measure-snapshot.ts';
import { mayFlow } from '../../loaders/resolution/may-flow.ts';
import { openSnapshot } from '../../loaders/snapshot/open-snapshot.ts';
import { withCpuTime } from '../support/cpu-time.ts';
import { gitRepository } from '../support/git-repository.ts';
import { superLinearCosts } from '../support/hostile-fillings.ts';

const view = (imports: string, call: string) =>
  `from flask import Flask, request\n${imports}\napp = Flask(__name__)\n\n@app.route('/x')\ndef show():\n    return ${call}(request.args['name'])\n`;
const harm = (name: string) => `import os\n\ndef ${name}(name):\n    os.system('show ' + name)\n`;
const handler = (imports: string, call: string) =>
  `const express = require('express');\n${imports}\nconst app = express();\napp.get('/x', (req, res) => { ${call}(req.query.name); });\n`;
const run = `const { exec } = require('child_process');\nfunction runIt(name) { exec('show ' + name); }\n`;

/** What a request is seen to fill in other files. */
async function foundIn(files: Record<string, string>): Promise<string[]> {
  using repository = gitRepository({ files });
  const opened = await openSnapshot(repository.path);
  const { measurements } = await measureSnapshot(opened, 'shop', {});
  await opened.close();
  const metric = measurements.metrics.find(({ id }) => id === 'security_pattern_finding_count');
  return (metric?.evidence ?? []).flatMap(({ path, way }) => (way ? [path ?? ''] : []));
}

describe('whether data may go on over calls', () => {
  it('is asked over what a package hands on, under its name or another', async () => {
    expect(
      await foundIn({
        'web/views.py': view('import store\n', 'store.execute'),
        'store/__init__.py': 'from .deep import execute\n',
        'store/deep/__init__.py': 'from .db import run_it as execute\n',
        'store/deep/db.py': harm('run_it'),
      }),
    ).to.deep.equal(['store/deep/db.py']);
  });

  it('is asked behind more names than a file tells, and over a module of a name with dots', async () => {
    const padding = Array.from({ length: 3_000 }, (_, n) => `  k${n}: other${n},`).join('\n');
    expect(
      await foundIn({
        'run.model.js': `${run}module.exports = runIt;\n`,
        'names.js': `module.exports = { ${padding} go: require('./run.model') };\n`,
        'app.js': handler("const names = require('./names');", 'names.go'),
      }),
    ).to.deep.equal(['run.model.js']);
  });

  it('is asked over other names that a file gives its functions', async () => {
    expect(
      await foundIn({
        'web/views.py': view('from store import db\n', 'db.execute'),
        'store/db.py': `${harm('_run_it')}\nexecute = _run_it\n`,
      }),
    ).to.deep.equal(['store/db.py']);
  });

  it('is asked over keys of objects, defaults and prototypes', async () => {
    for (const [imports, call, given] of [
      ["const { go } = require('./lib');", 'go', 'module.exports = { go: runIt };\n'],
      ["const lib = require('./lib');", 'lib.go', "module.exports = { 'go': runIt, more: 1 };\n"],
      [
        "const Lib = require('./lib');\nconst lib = new Lib();",
        'lib.go',
        'class Lib {}\nLib.prototype.go = runIt;\nmodule.exports = Lib;\n',
      ],
    ] as const)
      expect(await foundIn({ 'app.js': handler(imports, call), 'lib.js': `${run}${given}` }), given).to.deep.equal([
        'lib.js',
      ]);
  });

  it('is asked over what is exported under another name, and by default', async () => {
    for (const [imports, call, index] of [
      ["import { go } from './lib';", 'go', "export { runIt as go } from './run';\n"],
      ["import { go } from './lib';", 'go', "export * from './more';\n"],
      ["import go from './lib';", 'go', "export { default } from './run';\n"],
    ] as const)
      expect(
        await foundIn({
          'app.js': handler(imports, call),
          'lib/index.js': index,
          'lib/more.js': "export { runIt as go } from './run';\n",
          'lib/run.js': `${run}export { runIt };\nexport default runIt;\n`,
        }),
        index,
      ).to.deep.equal(['lib/run.js']);
  });

  it('is asked over names that a file between gives, and over what makes a function of one', async () => {
    const files = { 'base.py': harm('run_it') };
    for (const between of [
      'import base\n\ngo = base.run_it\n',
      'from base import run_it as other\n\ngo = other\n',
      'from functools import partial\nfrom base import run_it\n\ngo = partial(run_it)\n',
    ])
      expect(
        await foundIn({ ...files, 'web.py': view('import lib', 'lib.go'), 'lib.py': between }),
        between,
      ).to.deep.equal(['base.py']);
    const withClass = 'from base import run_it\n\nclass Lib:\n    go = staticmethod(run_it)\n';
    expect(
      await foundIn({ ...files, 'web.py': view('from lib import Lib', 'Lib.go'), 'lib.py': withClass }),
    ).to.deep.equal(['base.py']);
  });

  it('is asked over keys that hold what is imported', async () => {
    for (const lib of [
      "const { runIt } = require('./run');\nmodule.exports = { go: runIt };\n",
      "const r = require('./run');\nmodule.exports = { go: r.runIt };\n",
      "const any = require('./run');\nmodule.exports = { go: any };\n",
      "module.exports = { go: require('./run') };\n",
      "module.exports = { go: require('./run').runIt };\n",
      "exports.go = require('./run/index.js');\n",
      "const { runIt } = require('./run');\nclass Lib { static go = runIt; }\nmodule.exports = Lib;\n",
      "const { runIt } = require('./run');\nconst go = runIt.bind(null);\nmodule.exports = { go };\n",
    ])
      expect(
        await foundIn({
          'app.js': handler("const lib = require('./lib');", 'lib.go'),
          'lib.js': lib,
          'run/index.js': `${run}module.exports = runIt;\nmodule.exports.runIt = runIt;\n`,
        }),
        lib,
      ).to.deep.equal(['run/index.js']);
  });

  it('is asked over objects that are called', async () => {
    const runner = 'import os\n\nclass Runner:\n    def __call__(self, name):\n        os.system("show " + name)\n';
    expect(
      await foundIn({ 'web.py': view('from lib import Runner\ngo = Runner()', 'go'), 'lib.py': runner }),
    ).to.deep.equal(['lib.py']);
    expect(
      await foundIn({ 'web.py': view('from lib import go', 'go'), 'lib.py': `${runner}\ngo = Runner()\n` }),
    ).to.deep.equal(['lib.py']);
    expect(
      await foundIn({
        'web/show.php':
          '<?php\nnamespace Web;\nuse Lib\\Runner;\nfunction show() { $run = new Runner(); $run($_GET["name"]); }\n',
        'lib/Runner.php':
          "<?php\nnamespace Lib;\nclass Runner { public function __invoke($name) { shell_exec('show ' . $name); } }\n",
      }),
    ).to.deep.equal(['lib/Runner.php']);
  });

  it('is asked over functions of PHP that are imported under another name', async () => {
    expect(
      await foundIn({
        'web/show.php':
          '<?php\nnamespace Web;\nuse function Lib\\run_it as go;\nfunction show() { go($_GET["name"]); }\n',
        'lib/run.php': "<?php\nnamespace Lib;\nfunction run_it($name) { shell_exec('show ' . $name); }\n",
      }),
    ).to.deep.equal(['lib/run.php']);
  });

  it('is asked over functions that are handed in, by place or name, and kept', async () => {
    const web = (imports: string, call: string) =>
      view(`${imports}\nfrom base import run_it`, 'SHOW').replace(/SHOW\((.*)\)$/m, (_, given: string) =>
        call.replace('GIVEN', given),
      );
    const files = { 'base.py': harm('run_it') };
    const apply = { ...files, 'lib.py': 'def apply(f, name):\n    return f(name)\n' };
    for (const call of ['apply(run_it, GIVEN)', 'apply(name=GIVEN, f=run_it)'])
      expect(await foundIn({ ...apply, 'web.py': web('from lib import apply', call) }), call).to.deep.equal([
        'base.py',
      ]);
    const box =
      'class Box:\n    def __init__(self, f):\n        self.f = f\n    def go(self, name):\n        return self.f(name)\n';
    expect(
      await foundIn({
        ...files,
        'lib.py': box,
        'web.py': web('from lib import Box', 'Box(run_it).go(GIVEN)'),
      }),
    ).to.deep.equal(['base.py']);
  });

  const parameter = (name: string, line = 1): FlowFrom => ({
    kind: 'parameter',
    of: { name, line },
    index: 0,
    name: 'a',
  });
  const argument = (call: string): FlowTo => ({ kind: 'argument', call, line: 1, argument: 0 });
  const sink: FlowTo = { kind: 'sink', rule: 'command_injection', line: 2, severity: 'high' };
  const flow = (from: FlowFrom, to: FlowTo) => ({ from, to, steps: [1] });
  const request: FlowFrom = { kind: 'request' };
  const file = (path: string, ...flows: FileFlows['flows'][number][]): FileFlows => ({ path, flows });
  const inside = (names: readonly FileName[]): FileImport[] =>
    names.map(({ path, to }) => ({ path, line: 1, to, typeOnly: false }));
  const may = (files: FileFlows[], names: FileName[] = []) => mayFlow(files, { inside: inside(names), names }) !== null;

  it('is denied of what is imported from outside, whatever is dangerous beside it', () => {
    const files = [file('a.py', flow(request, argument('select'))), file('b.py', flow(parameter('run'), sink))];
    // An import that leads to no file of the repository gives no name.
    expect(may(files)).to.equal(false);
    expect(may(files, [{ path: 'a.py', local: 'select', name: 'run', to: ['b.py'] }])).to.equal(true);
  });

  it('is denied of what stays in one file, or is made harmless on the way', () => {
    const [handed, harmed] = [flow(request, argument('run')), flow(parameter('run'), sink)];
    expect(may([file('a.py', handed, harmed)])).to.equal(false);
    const clean = { ...handed, clean: ['command_injection'] };
    expect(may([file('a.py', clean), file('b.py', harmed)])).to.equal(false);
    expect(may([file('a.py', handed), file('b.py', harmed)])).to.equal(true);
    // To another file and back.
    const [there, back] = [flow(request, argument('there')), flow(parameter('there'), argument('run'))];
    expect(may([file('a.py', there, harmed), file('b.py', back)])).to.equal(true);
  });

  it('is asked of anything in what is imported whole, and of nothing elsewhere', () => {
    const files = (path: string) => [
      file('a.js', flow(request, argument('it'))),
      file(path, flow(parameter('run'), sink)),
    ];
    const names = [
      { path: 'a.js', local: 'it', name: 'default', to: ['lib/index.js'] },
      { path: 'lib/index.js', local: 'default', name: '*', to: ['lib/it.js'] },
      { path: 'lib/it.js', local: 'wrap', name: 'wrap', to: ['lib/wrap.js'] },
    ];
    for (const path of ['lib/index.js', 'lib/it.js', 'lib/wrap.js'])
      expect(may(files(path), names), path).to.equal(true);
    expect(may(files('other.js'), names)).to.equal(false);
  });

  it('is asked of what has more names than are looked at, whatever the call is', () => {
    const named = (count: number): FileFlows => ({
      path: 'names.py',
      flows: [],
      names: Array.from({ length: count }, (_, n) => [`x${n}`, 'run'] as const),
    });
    const files = [file('a.py', flow(request, argument('go'))), file('b.py', flow(parameter('run'), sink))];
    expect(may([...files, named(20)])).to.equal(false);
    expect(may([...files, named(21)])).to.equal(true);
  });

  it('ends where names are handed on in a circle', () => {
    const names = ['a', 'b', 'c'].flatMap((local, index, all) => {
      const name = all[(index + 1) % 3] ?? '';
      return [
        { path: `${local}.js`, local, name, to: [`${name}.js`] },
        { path: `${local}.js`, local: 'default', name: 'default', to: [`${name}.js`] },
      ];
    });
    const files = [file('a.js', flow(request, argument('a'))), file('x.js', flow(parameter('run'), sink))];
    expect(may(files, names)).to.equal(false);
    expect(may([...files, file('c.js', flow(parameter('c'), sink))], names)).to.equal(true);
  });

  it('takes time in proportion to what there is', async () => {
    const each = (count: number, make: (n: number) => FileFlows) => Array.from({ length: count }, (_, n) => make(n));
    const wholes: Record<string, (count: number) => Parameters<typeof may>> = {
      'one name': (count) => [
        each(count, (n) =>
          file(
            `${n}.py`,
            flow(request, argument('x')),
            flow(parameter('x'), argument('x')),
            flow(parameter('x'), sink),
          ),
        ),
      ],
      'a chain': (count) => [
        each(count, (n) =>
          file(`${n}.py`, flow(request, argument(`x${n}`)), flow(parameter(`x${n}`), argument(`x${n + 1}`))),
        ),
        each(count, (n) => file(`${n}.py`)).map(({ path }, n) => ({
          path,
          local: `x${n}`,
          name: `x${n + 1}`,
          to: [`${n + 1}.py`],
        })),
      ],
      'a chain of names': (count) => [
        each(count, (n) => ({
          ...file(`${n}.py`, flow(request, argument(`y${n}`)), flow(parameter(`x${n}`), sink)),
          names: [[`x${n + 1}`, `x${n}`] as const],
        })),
      ],
      'many names of one function': (count) => [
        each(count, (n) => ({
          ...file(`${n}.py`, flow(request, argument(`y${n}`)), flow(parameter('x'), sink)),
          names: [[`z${n}`, 'x'] as const, ['x', `z${n}`] as const],
        })),
      ],
      'many imports of one name': (count) => [
        each(count, (n) => file(`${n}.js`, flow(request, argument('y')), flow(parameter('x'), sink))),
        each(count, (n) => file(`${n}.js`)).flatMap(({ path }, n) => [
          { path, local: 'y', name: n % 2 ? 'x' : 'default', to: ['index.js'] },
          { path: 'index.js', local: 'default', name: '*', to: [path] },
        ]),
      ],
    };
    for (const [what, whole] of Object.entries(wholes)) {
      const costs = await superLinearCosts(async (bytes) => {
        const [files, names] = whole(bytes / 200);
        return (await withCpuTime(() => may(files, names))).ms;
      });
      expect(costs, what).to.equal(null);
    }
  }).timeout(60_000);
});

import { expect } from 'chai';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Explanation } from '../../loaders/explain.ts';
import { repoIntel } from '../support/cli.ts';

const files: Readonly<Record<string, string>> = {
  'ts/base.ts': 'export class Base {\n  save(): void {}\n}\n',
  'ts/index.ts': "export * from './store.ts';\n",
  'ts/store.ts': "import { Base } from './base.ts';\n\nexport class Store extends Base {}\n",
  'ts/app.ts': `import express from 'express';
import { Store } from './index.ts';

export function run(s: Store, other) {
  s.save();
  other.go();
  express();
}
`,
  'py/shop.py': `import requests

class Base:
    def save(self):
        pass

class Store(Base):
    def again(self):
        self.save()

def run(other):
    requests.get('/')
    other.go()
    Store().save()
`,
  'go/go.mod': 'module example.com/shop\n',
  'go/shop.go': `package shop

import "github.com/acme/pay"

type Base struct{}

func (b *Base) Save() {}

type Store struct {
	Base
}

func Run(s *Store, other func()) {
	s.Save()
	pay.Charge()
	other()
}
`,
  'java/Shop.java': `package shop;

import com.acme.Pay;

class Base {
  void save(String name) {}
  void save(int number) {}
}

class Store extends Base {
  void run(Store s) {
    s.save(1);
    Pay.charge();
    unknown.go();
  }
}
`,
};

describe('repo-intel explain', () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'explain-'));
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
  });

  after(() => rm(folder, { recursive: true }));

  /** The answer as JSON, of the one call on a line. */
  async function explained(location: string) {
    const { code, stdout, stderr } = await repoIntel(['explain', location, '--repo', folder, '--json']);
    expect(code, stderr).to.equal(0);
    const { calls } = JSON.parse(stdout) as Explanation;
    expect(calls.length).to.be.greaterThan(0);
    return calls;
  }

  const textsOf = (calls: Explanation['calls']) => calls.flatMap(({ steps }) => steps.map(({ text }) => text));

  it('shows each step from the name to the edge, with the line that says so', async () => {
    const { code, stdout } = await repoIntel(['explain', 'ts/app.ts:5', '--repo', folder]);
    expect(code).to.equal(0);
    expect(stdout.split('\n').slice(2)).to.deep.equal([
      's.save(…) leads into the repository',
      '  `s` is a parameter of `run` of type `Store` (ts/app.ts:4: export function run(s: Store, other) {)',
      "    `Store` is imported from './index.ts' (ts/app.ts:2: import { Store } from './index.ts';)",
      "      module './index.ts' is ts/index.ts (ts/app.ts:2: import { Store } from './index.ts';)",
      '        ts/store.ts exports `Store` (ts/store.ts:3: export class Store extends Base {})',
      '        `Store` is class `Store` (ts/store.ts:3: export class Store extends Base {})',
      "        ts/index.ts hands on `Store` from './store.ts' (ts/index.ts:1: export * from './store.ts';)",
      '    type `Store` is class `Store` (ts/store.ts:3: export class Store extends Base {})',
      '  `save` is a member of class `Base`, above `Store` (ts/base.ts:2: save(): void {})',
      '  `run` calls method `Base.save` (receiver_type, confidence 0.9) (ts/base.ts:2: save(): void {})',
      '',
    ]);
  });

  for (const [location, ...steps] of [
    [
      'py/shop.py:9',
      '`save` is a member of class `Base`, above `Store`',
      '`Store.again` calls method `Base.save` (receiver_type,',
    ],
    ['py/shop.py:14', '`Store` is class `Store`', '`run` calls method `Base.save` (receiver_type,'],
    ['go/shop.go:14', '`s` is a parameter of `Run` of type `Store`', '`Run` calls method `Base.Save` (receiver_type,'],
    [
      'java/Shop.java:12',
      'of 2 functions `save` the arguments choose `void save(int number)`',
      '`Store.run` calls method',
    ],
  ] as const) {
    it(`says how ${location} leads into the repository`, async () => {
      const calls = await explained(location);
      expect(calls.map(({ outcome }) => outcome)).to.include('resolved');
      for (const step of steps) expect(textsOf(calls).join('\n')).to.include(step);
    });
  }

  for (const [location, way] of [
    ['ts/app.ts:7', "by way of 'express default'"],
    ['py/shop.py:12', "by way of 'requests get'"],
    ['go/shop.go:15', "by way of 'github.com/acme/pay Charge'"],
    ['java/Shop.java:13', 'com.acme'],
  ] as const) {
    it(`says by which import ${location} leads out of the repository`, async () => {
      const [call] = await explained(location);
      expect(call?.outcome).to.equal('external');
      expect(call?.steps.at(-1)).to.include({ kind: 'outside' });
      expect(call?.steps.at(-1)?.text).to.include(way);
    });
  }

  for (const [location, why] of [
    ['ts/app.ts:6', 'what `other` is, is not known, so neither is its `go`'],
    ['py/shop.py:13', 'what `other` is, is not known, so neither is its `go`'],
    ['go/shop.go:16', 'some function of this type, of which nobody knows the code'],
  ] as const) {
    it(`says why ${location} leads nowhere`, async () => {
      const [call] = await explained(location);
      expect(call?.outcome).to.equal('unresolved');
      expect(call?.steps.at(-1)).to.include({ kind: 'nowhere' });
      expect(call?.steps.at(-1)?.text).to.include(why);
    });
  }

  it('takes a column, as editors write it, and a path from where one stands', async () => {
    const { stdout } = await repoIntel(['explain', `${join(folder, 'ts/app.ts')}:5:3`, '--repo', folder]);
    expect(stdout).to.include('`run` calls method `Base.save`');
  });

  it('exits with 1 and names the nearest calls where the line has none', async () => {
    const { code, stdout } = await repoIntel(['explain', 'ts/app.ts:1', '--repo', folder]);
    expect(code).to.equal(1);
    expect(stdout).to.match(/^ts\/app\.ts:1 of .* has no call\. .*ts\/app\.ts:5/);
  });

  it('exits with 1 and says what is wrong with a file that is not there', async () => {
    const { code, stdout, stderr } = await repoIntel(['explain', 'ts/none.ts:1', '--repo', folder]);
    expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
    expect(stderr).to.include('has no file ts/none.ts: name one by its path');
  });
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { analyze } from '../../loaders/analyze.ts';
import { encodeSnapshot } from '../../loaders/records/snapshot-file.ts';

/** One source file: what it defines and what of another it uses; several may define the same. */
interface Module {
  language: keyof typeof write;
  folder: string;
  file: number;
  name: number;
  uses: number;
  base: number;
}

/** A module as its language writes it. */
const write = {
  ts: ({ name, uses, base, file }: Module) =>
    `import { f${uses}, C${base} } from '@lib/m${uses}';\nexport * from './m${base}';\n` +
    `export class C${name} extends C${base} { go(): C${base} { f${uses}(); return this; } }\nexport function f${name}(c: C${name}) { c.go().go(); }\nexport const k${uses} = ${file};\n`,
  js: ({ name, uses }: Module) =>
    `const m = require('./m${uses}');\nfunction f${name}() { return m.f${uses}(); }\nmodule.exports = { f${name} };\n`,
  py: ({ name, uses, base }: Module) =>
    `from .m${uses} import f${uses}, C${base}\nclass C${name}(C${base}):\n    def go(self):\n        f${uses}()\n        return self\ndef f${name}(c: C${name}):\n    c.go().go()\n    Helper()\n`,
  go: ({ name, uses, base }: Module) =>
    `package p\nconst K${base} = ${uses}\ntype T${name} struct { T${base}; field${uses} int }\nfunc (t T${name}) Go() T${base} { F${uses}(); return t.T${base} }\nfunc F${name}() { T${name}{}.Go().Go() }\n`,
  java: ({ name, uses, base }: Module) =>
    `package p;\nclass C${name} extends C${base} { C${base} go() { C${uses}.f(); return this; } static void f() { new C${name}().go().go(); } }\n`,
  rs: ({ name, uses }: Module) =>
    `use crate::m${uses}::f${uses};\npub struct S${name};\nimpl S${name} { pub fn go(&self) { f${uses}(); } }\npub fn f${name}() { S${name}.go(); }\n`,
};

const small = fc.nat({ max: 3 });
const module: fc.Arbitrary<Module> = fc.record({
  language: fc.constantFrom(...(Object.keys(write) as (keyof typeof write)[])),
  folder: fc.constantFrom('a', 'b'),
  file: small,
  name: small,
  uses: small,
  base: small,
});

type Edit =
  | { put: Module }
  | { change: number; to: Partial<Module> }
  | { remove: number }
  | { rename: number; folder: string; file: number }
  | { paths: string };
const which = fc.nat({ max: 40 });
const edit: fc.Arbitrary<Edit> = fc.oneof(
  module.map((put) => ({ put })),
  fc.record({
    change: which,
    to: fc.oneof(fc.record({ name: small }), fc.record({ base: small }), fc.record({ uses: small })),
  }),
  which.map((remove) => ({ remove })),
  fc.record({ rename: which, folder: fc.constantFrom('a', 'b'), file: small }),
  fc.constantFrom('a', 'b').map((paths) => ({ paths })),
);

const pathOf = ({ language, folder, file }: Module) => `${folder}/m${file}.${language}`;

/** The repository after an edit; a number names one of its modules. */
function edited(modules: readonly Module[], paths: string, each: Edit): { modules: Module[]; paths: string } {
  if ('paths' in each) return { modules: [...modules], paths: each.paths };
  if ('put' in each)
    return { modules: [...modules.filter((one) => pathOf(one) !== pathOf(each.put)), each.put], paths };
  const at =
    modules[
      ('change' in each ? each.change : 'remove' in each ? each.remove : each.rename) % Math.max(modules.length, 1)
    ];
  const others = modules.filter((one) => one !== at);
  if (!at || 'remove' in each) return { modules: others, paths };
  const made = 'change' in each ? { ...at, ...each.to } : { ...at, folder: each.folder, file: each.file };
  return { modules: [...others.filter((one) => pathOf(one) !== pathOf(made)), made], paths };
}

function put(folder: string, modules: readonly Module[], paths: string): void {
  rmSync(folder, { recursive: true, force: true });
  const files = new Map(modules.map((one) => [pathOf(one), write[one.language](one)]));
  files.set('tsconfig.json', `{ "compilerOptions": { "baseUrl": ".", "paths": { "@lib/*": ["${paths}/*"] } } }`);
  files.set('package.json', '{ "name": "it", "version": "1.0.0" }');
  files.set('a/__init__.py', 'from .m0 import *\nclass Helper:\n    pass\n');
  files.set('Cargo.toml', '[package]\nname = "it"\nversion = "1.0.0"\n[lib]\npath = "a/lib.rs"\n');
  files.set('a/lib.rs', 'mod m0;\nmod m1;\nmod m2;\nmod m3;\n');
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

describe('an incremental load', () => {
  it('after any edits gives the bytes of a load from nothing', async () => {
    const work = mkdtempSync(join(tmpdir(), 'incremental-'));
    const tree = join(work, 'tree');
    const bytes = async (cacheFile?: string) => {
      const { snapshot, cached } = await analyze(tree, { name: 'it', ...(cacheFile ? { cacheFile } : {}) });
      return { text: Buffer.concat([...encodeSnapshot(snapshot)]).toString(), edges: snapshot.edges.length, cached };
    };
    let reused = 0;
    let linked = 0;
    try {
      let run = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(module, { minLength: 16, maxLength: 24 }),
          fc.array(fc.array(edit, { minLength: 1, maxLength: 4 }), { minLength: 3, maxLength: 3 }),
          async (first, loads) => {
            const cacheFile = join(work, `${++run}.sqlite`);
            let state = {
              modules: first.filter((one, at) => first.findIndex((other) => pathOf(other) === pathOf(one)) === at),
              paths: 'a',
            };
            put(tree, state.modules, state.paths);
            await bytes(cacheFile);
            for (const edits of loads) {
              state = edits.reduce<typeof state>((before, each) => edited(before.modules, before.paths, each), state);
              put(tree, state.modules, state.paths);
              const incremental = await bytes(cacheFile);
              const clean = await bytes();
              expect(clean.cached).to.equal(0);
              reused += incremental.cached;
              linked += incremental.edges;
              expect(incremental.text).to.equal(clean.text);
            }
          },
        ),
        { numRuns: 2 },
      );
      // Otherwise nothing would have been compared.
      expect(reused).to.be.greaterThan(40);
      expect(linked).to.be.greaterThan(200);
    } finally {
      rmSync(work, { recursive: true });
    }
  });
});

import { expect } from 'chai';
import type { Resolution } from '../../../loaders/resolution/resolution.ts';
import { resolve } from '../../../loaders/resolution/resolve.ts';
import { edgesOf, factsOf, type Sources } from '../../support/edges-of.ts';

async function resolutionOf(sources: Sources): Promise<Resolution> {
  return resolve(await factsOf(sources), { paths: Object.keys(sources).sort(), read: (path) => sources[path] ?? null });
}

type Files = Awaited<ReturnType<typeof factsOf>>;

/** The same files, and how often anything in them has been read since. */
function counted(files: Files): { files: Files; reads: () => number } {
  let reads = 0;
  // One stand-in for each object, as resolution tells objects apart by identity.
  const standIns = new WeakMap<object, unknown>();
  const standIn = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    const known = standIns.get(value);
    if (known !== undefined) return known;
    const made: unknown = new Proxy(value, {
      get(target, key, receiver) {
        reads++;
        return standIn(Reflect.get(target, key, receiver));
      },
    });
    standIns.set(value, made);
    return made;
  };
  const stoodIn = files.map((file) => ({ ...file, facts: standIn(file.facts) as Files[number]['facts'] }));
  return { files: stoodIn, reads: () => reads };
}

describe('resolve', () => {
  it('an edge counts its sites, and names the first line and the name used there', async () => {
    const { edges } = await resolutionOf({
      'a.ts': "import { b as c } from './b.ts'\nexport function a() {\n  c()\n  c()\n}",
      'b.ts': 'export function b() {}',
    });
    const [call] = [...edges].filter(({ type }) => type === 'CALLS');
    expect(call).to.include({ weight: 2, line: 3, name: 'c', strategy: 'import' });
    expect(call?.confidence).to.be.within(0.9, 1);
  });

  it('a guess by name alone is kept apart: below 0.5, and only where the name is the only one', async () => {
    const sources = {
      'a.js': 'function a(x) { x.onlyHere(); x.twice() }',
      'b.js': 'class B { onlyHere() {} twice() {} }\nclass C { twice() {} }',
    };
    const { edges } = await resolutionOf(sources);
    expect(Array.from(edges, ({ strategy, confidence, name }) => [strategy, confidence < 0.5, name])).to.deep.equal([
      ['unique_name', true, 'onlyHere'],
    ]);
    expect(await edgesOf(sources)).to.deep.equal([]);
  });

  it('several possible targets make an edge less certain than one', async () => {
    const { edges } = await resolutionOf({
      'a.ts': 'class A { m() {} } class B { m() {} }\nfunction one(a: A) { a.m() }\nfunction two(x: A | B) { x.m() }',
    });
    const confidences = Array.from(edges, ({ confidence }) => confidence);
    expect(confidences).to.have.length(3);
    expect(confidences.filter((confidence) => confidence === Math.max(...confidences))).to.have.length(1);
  });

  it('each call counts once: resolved, external or unresolved', async () => {
    const { calls } = await resolutionOf({
      'a.js':
        "import { out } from 'elsewhere'\nfunction b() {}\nfunction a(x) { b(); out(); x.y(); console.log() }\nb()",
    });
    expect(calls).to.deep.equal({ resolved: 2, external: 2, unresolved: 1 });
  });

  it('imports lead to definitions inside, and are listed as written where they lead outside', async () => {
    const { edges, externalImports } = await resolutionOf({
      'a.ts': "import { B } from './b.ts'\nimport * as b from './b.ts'\nimport x from 'pkg/sub'\nimport './gone.ts'",
      'b.ts': 'export class B {}',
    });
    const imports = [...edges].filter(({ type }) => type === 'IMPORTS');
    expect(imports.map(({ from, to }) => [from.document, from.definition, to.document, to.definition])).to.deep.equal([
      [0, -1, 1, 0],
    ]);
    expect(Array.from(externalImports, ({ module, line }) => [module, line])).to.deep.equal([['pkg/sub', 3]]);
  });

  it('a base outside the repository hides nothing and invents nothing', async () => {
    const sources = {
      'a.ts':
        "import { E } from 'e'\nclass A extends E { a() { this.b(); this.emit() } b() {} }\nclass Emitter { emit() {} }",
    };
    expect(await edgesOf(sources)).to.deep.equal(['A.a -> A.b']);
    expect(await edgesOf(sources, 'INHERITS')).to.deep.equal([]);
  });

  it('values that are defined by each other end', async () => {
    const sources = {
      'a.js':
        'const a = b\nconst b = a\nfunction f() { a(); return g() }\nfunction g() { return f() }\nclass A extends B {}\nclass B extends A { m() { this.n() } }\nlet x = x.y.z\nfunction h() { x.w(); f().q() }',
    };
    expect(await edgesOf(sources)).to.deep.equal(['f -> g', 'g -> f', 'h -> f']);
  });

  it('long chains and deep nesting neither overflow nor hang', async () => {
    const chain = `class C { m() { return this } }\nfunction a() { new C()${'.m()'.repeat(100)} }`;
    const nested = `function b() { ${'f('.repeat(100)}c()${')'.repeat(100)} }\nfunction c() {}`;
    const endless = `function d() { c(); x = ${'['.repeat(20_000)}${']'.repeat(20_000)} + ${"'' + ".repeat(20_000)}'' }\nfunction c() {}`;
    expect(await edgesOf({ 'a.js': chain, 'b.js': nested, 'd.js': endless })).to.include.members([
      'a -> C.m',
      'b -> c',
      'd -> c',
    ]);
  });

  it('work grows with the number of files, not with its square', async () => {
    const readsOf = async (count: number) => {
      const sources: Record<string, string> = {};
      for (let i = 0; i < count; i++) {
        sources[`m${i}.js`] =
          `import { C${(i + 1) % count} as N } from './m${(i + 1) % count}.js'\n` +
          `export class C${i} extends N { m${i}() { this.m${i}(); new N().m${(i + 1) % count}() } }`;
      }
      const { files, reads } = counted(await factsOf(sources));
      const { edges } = resolve(files, { paths: Object.keys(sources).sort(), read: () => null });
      expect([...edges].length).to.be.at.least(count * 3);
      return reads();
    };
    const [small, large] = [await readsOf(200), await readsOf(1_600)];
    expect(large / small, `${small} reads of facts, then ${large}`).to.be.lessThan(8 * 1.25);
  });

  it('defaults that are inherited and extensions beside methods take work in proportion to how many there are', async () => {
    const each = (count: number, text: (index: number) => string) => Array.from({ length: count }, (_, i) => text(i));
    const cases: Record<string, (count: number) => Sources> = {
      'defaults that are inherited': (count) => ({
        'a.kt':
          `abstract class A {\n${each(count, (i) => ` abstract fun f(a: T${i}, b: Int = 1)`).join('\n')}\n}\n` +
          `class B : A() {\n${each(count, (i) => ` override fun f(a: T${i}, b: Int) {}`).join('\n')}\n fun g() { f(1) }\n}`,
      }),
      'extensions where no method fits': (count) => ({
        'A.cs':
          'class I { public void Go() {} } static class X { public static void Go(this I i, int n) {} } ' +
          `class A { void F(I i) { ${'i.Go(1); '.repeat(count)} } }`,
      }),
    };
    for (const [name, sourcesOf] of Object.entries(cases)) {
      const readsOf = async (count: number) => {
        const { files, reads } = counted(await factsOf(sourcesOf(count)));
        resolve(files, { paths: files.map(({ path }) => path), read: () => null });
        return reads();
      };
      const [small, large] = [await readsOf(100), await readsOf(800)];
      expect(large / small, `${name}: ${small} reads of facts, then ${large}`).to.be.lessThan(8 * 1.25);
    }
  });

  it('the same files give the same edges in the same order', async () => {
    const sources = {
      'a.ts': 'class A { m() { this.n(); b() } n() {} }\nfunction b() { new A().m() }',
      'b.ts': 'export const x = () => x()',
    };
    const [first, second] = [await resolutionOf(sources), await resolutionOf(sources)];
    expect([...first.edges]).to.deep.equal([...second.edges]);
    expect(first.calls).to.deep.equal(second.calls);
    expect([...first.externalImports]).to.deep.equal([...second.externalImports]);
  });
});

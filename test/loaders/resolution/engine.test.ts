import { expect } from 'chai';
import { Engine } from '../../../loaders/resolution/engine.ts';
import { prepare } from '../../../loaders/resolution/prepare.ts';
import type { Values } from '../../../loaders/resolution/value.ts';
import { factsOf, type Sources } from '../../support/edges-of.ts';

/** The engine over these sources, with what tests ask of it by name. */
async function engineOf(sources: Sources) {
  const paths = Object.keys(sources).sort();
  const documents = prepare(await factsOf(sources), { paths, read: (path) => sources[path] ?? null });
  const engine = new Engine(documents);
  const definition = (path: string, name: string) => {
    const document = engine.documents.numberOf(path) ?? -1;
    return {
      document,
      definition: engine.documents.at(document).facts.definitions.findIndex((one) => one.qualifiedName === name),
    };
  };
  const nameOf = (ref: { document: number; definition: number }) =>
    engine.documents.definition(ref.document, ref.definition).qualifiedName;
  const namesOf = (values: Values) =>
    values.map((value) => ('definition' in value ? `${value.kind} ${nameOf(value)}` : value.kind));
  return { engine, definition, nameOf, namesOf };
}

describe('Scopes and Names', () => {
  it('bind by name, and look up outwards: the nearest scope has it', async () => {
    const { engine, definition, namesOf } = await engineOf({
      'a.ts': 'class A {}\nclass B {}\nconst x = new A();\nexport function f() { const x = new B(); return x; }',
    });
    const { document, definition: f } = definition('a.ts', 'f');
    const { scope } = engine.documents.definition(document, f);
    expect(engine.scopes.table(document, 0).get('x')).to.have.length(1);
    expect(engine.scopes.atTop(document, 'none')).to.deep.equal([]);
    expect(namesOf(engine.names.lookUp(document, scope, 'x', 'value'))).to.deep.equal(['instance B']);
    expect(namesOf(engine.names.lookUp(document, 0, 'x', 'value'))).to.deep.equal(['instance A']);
    expect(namesOf(engine.names.lookUp(document, 0, 'A', 'value'))).to.deep.equal(['class A']);
    expect(namesOf(engine.names.lookUp(document, 0, 'A', 'type'))).to.deep.equal(['instance A']);
  });

  it('say that a name which nobody binds is outside', async () => {
    const { engine } = await engineOf({ 'a.ts': 'export const x = 1;' });
    expect(engine.names.lookUp(0, 0, 'fetch', 'value')).to.deep.equal([{ kind: 'external', name: 'fetch', args: [] }]);
  });
});

describe('Ancestors', () => {
  it('are in the order of C3 in Python', async () => {
    const { engine, definition, nameOf } = await engineOf({
      'a.py': 'class O: pass\nclass A(O): pass\nclass B(O): pass\nclass C(A, B): pass\n',
    });
    const { document, definition: c } = definition('a.py', 'C');
    expect(engine.ancestors.of(document, c).list.map(nameOf)).to.deep.equal(['C', 'A', 'B', 'O']);
  });

  it('say that a base lies outside, and end where a class extends itself', async () => {
    const { engine, definition, nameOf } = await engineOf({
      'a.ts': "import { Far } from 'far';\nclass A extends Far {}\nclass X extends Y {}\nclass Y extends X {}",
    });
    const a = definition('a.ts', 'A');
    expect(engine.ancestors.of(a.document, a.definition).external).to.equal(true);
    const x = definition('a.ts', 'X');
    expect(engine.ancestors.of(x.document, x.definition).list.map(nameOf)).to.include.members(['X', 'Y']);
    expect(engine.members.of(x.document, engine.classes.instanceOf(x.document, x.definition), 'none')).to.deep.equal(
      [],
    );
  });

  it('have their type arguments in terms of the class that was asked for', async () => {
    const { engine, definition, namesOf } = await engineOf({
      'a.ts': 'class User {}\nclass Box<T> { get(): T { throw 0; } }\nclass Users extends Box<User> {}',
    });
    const { document, definition: users } = definition('a.ts', 'Users');
    expect(engine.ancestors.of(document, users).list[1]?.args.map(namesOf)).to.deep.equal([['instance User']]);
  });
});

describe('Generics', () => {
  it('replace parameters by arguments, inside containers too, and leave what has none', async () => {
    const { engine, definition, namesOf } = await engineOf({ 'a.ts': 'class User {}\nclass Pair<A, B> {}' });
    const pair = definition('a.ts', 'Pair');
    const user = engine.classes.instanceOf(0, definition('a.ts', 'User').definition);
    const [a, b] = engine.classes.instanceOf(pair.document, pair.definition).args;
    const given = [{ ...pair, args: [[user]] }];
    expect(namesOf(engine.generics.substitute(a ?? [], given))).to.deep.equal(['instance User']);
    expect(engine.generics.substitute(b ?? [], given)).to.deep.equal(b);
    expect(engine.generics.substitute([{ kind: 'array', element: a ?? [] }], given)).to.deep.equal([
      { kind: 'array', element: [user] },
    ]);
  });
});

describe('Overloads', () => {
  it('are chosen by the number of arguments, then by their types', async () => {
    const { engine, definition } = await engineOf({
      'A.java':
        'class Base {}\nclass Sub extends Base {}\nclass A {\n  void f(Base one) {}\n  void f(Sub one) {}\n  void f(Base one, Base two) {}\n' +
        '  void go(Base base) { f(new Sub()); f(base); f(base, base); }\n}',
    });
    const { document, definition: first } = definition('A.java', 'A.f');
    const { calls } = engine.documents.at(document).facts;
    const chosen = calls
      .filter(({ callee }) => callee.kind === 'name' && callee.name.startsWith('f'))
      .map(({ args }) => {
        const value = { kind: 'function', document, definition: first, self: null } as const;
        const { definition: reached } = engine.overloads.choose(value, args, document, 0);
        return engine.documents.definition(document, reached).line;
      });
    expect(chosen).to.deep.equal([5, 4, 6]);
  });
});

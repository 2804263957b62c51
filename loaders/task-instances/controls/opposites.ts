import type { Node } from '../../facts/syntax-tree.ts';
import type { Family } from './test-file.ts';

/** What stands in place of a part of a source. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

const pairs = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text
      .trim()
      .split(/\s+/)
      .map((pair) => pair.split('/') as [string, string])
      .flatMap(([one, other]) => [[one, other] as const, [other, one] as const]),
  );

/** Methods that assert the opposite of each other and take the same, whatever they are called on. */
const jvm = pairs(`
  assertTrue/assertFalse assertEquals/assertNotEquals assertNull/assertNotNull assertSame/assertNotSame isTrue/isFalse isNull/isNotNull
  isEqualTo/isNotEqualTo isSameAs/isNotSameAs isEmpty/isNotEmpty isPresent/isNotPresent contains/doesNotContain
  isInstanceOf/isNotInstanceOf`);
const opposites: Readonly<Record<Family, ReadonlyMap<string, string>>> = {
  python: pairs(`
    assertTrue/assertFalse assertEqual/assertNotEqual assertIn/assertNotIn assertIs/assertIsNot assertIsNone/assertIsNotNone
    assertIsInstance/assertNotIsInstance assertRegex/assertNotRegex assertAlmostEqual/assertNotAlmostEqual`),
  ecmascript: pairs(`
    equal/notEqual strictEqual/notStrictEqual deepEqual/notDeepEqual deepStrictEqual/notDeepStrictEqual throws/doesNotThrow
    rejects/doesNotReject match/doesNotMatch isTrue/isFalse isNull/isNotNull include/notInclude`),
  go: pairs(`
    Equal/NotEqual EqualValues/NotEqualValues True/False Nil/NotNil NoError/Error Contains/NotContains Empty/NotEmpty Zero/NotZero
    Same/NotSame Regexp/NotRegexp`),
  rust: pairs('assert_eq/assert_ne'),
  java: jvm,
  kotlin: jvm,
  php: pairs(`
    assertTrue/assertFalse assertEquals/assertNotEquals assertSame/assertNotSame assertNull/assertNotNull assertEmpty/assertNotEmpty
    assertContains/assertNotContains assertCount/assertNotCount assertInstanceOf/assertNotInstanceOf
    assertStringContainsString/assertStringNotContainsString`),
  ruby: pairs(`
    assert_equal/refute_equal assert/refute assert_nil/refute_nil assert_includes/refute_includes assert_empty/refute_empty
    assert_match/refute_match assert_same/refute_same must_equal/wont_equal to/not_to`),
};

/** What methods of an assertion are called on, where their names alone may be anybody's. */
const callers: Partial<Record<Family, RegExp>> = {
  ecmascript: /(?:^|[^.\w$])(?:assert|chai\.assert|t|tap)\.$/,
  go: /(?:^|[^.\w])(?:assert|require|is|must)\.$/,
  // `expect(…).to`, and what is called on nothing.
  ruby: /[)}]\.$|(?:^|[^.\w])$/,
};
/** What stands behind the name of what is called. */
const called: Readonly<Record<Family, RegExp>> = {
  python: /\(/,
  ecmascript: /\(/,
  go: /\(/,
  rust: /!/,
  java: /\(/,
  kotlin: /\(/,
  php: /\(/,
  ruby: /[( ]/,
};
/** No caller's name is longer. */
const callerLength = 32;

/** Around what is there, which may be changed itself. */
const negated = ({ start, end }: Pick<Edit, 'start' | 'end'>, not = '!'): Edit[] => [
  { start, end: start, text: `${not}(` },
  { start: end, end, text: ')' },
];
const spanOf = ({ startIndex: start, endIndex: end }: Node) => ({ start, end });

/**
 * Changes, of one or two places, that each turn one assertion of a body into its opposite: it fails then wherever the assertion holds, also where it
 * compares with no value that stands in the source.
 */
export function oppositesOf(body: Node, family: Family): Edit[][] {
  return [...renamed(body, family).map((edit) => [edit]), ...negatedIn[family](body)];
}

function renamed(body: Node, family: Family): Edit[] {
  const { source } = body.tree;
  const named = opposites[family];
  const caller = callers[family];
  return body.descendantsOfType(['identifier', 'property_identifier', 'field_identifier', 'name']).flatMap((node) => {
    const { startIndex: start, endIndex: end } = node;
    const text = named.get(node.text);
    if (text === undefined || !called[family].test(source[end] ?? '')) return [];
    // A static method is there only where it is imported.
    const isStatic = /^(java|kotlin)$/.test(family) && source[start - 1] !== '.';
    if (isStatic && !source.includes(text) && !source.includes('Assertions.*')) return [];
    if (caller && !caller.test(source.slice(Math.max(0, start - callerLength), start))) return [];
    return { start, end, text };
  });
}

const negatedIn: Readonly<Record<Family, (body: Node) => Edit[][]>> = {
  python: (body) =>
    body.descendantsOfType('assert_statement').flatMap((node) => {
      const [condition] = node.namedChildren;
      return condition ? [negated(spanOf(condition), 'not ')] : [];
    }),

  ecmascript: (body) => {
    const { source } = body.tree;
    return [
      ...body.descendantsOfType('call_expression').flatMap((node) => {
        const callee = node.childForFieldName('function')?.text ?? '';
        if (/^(chai\.)?expect$/.test(callee)) return notBehind(source, node.endIndex);
        const given = node.childForFieldName('arguments')?.namedChildren[0];
        return given && /^(assert|assert\.ok|assert\.isOk|t\.ok|t\.true|t\.truthy)$/.test(callee)
          ? [negated(spanOf(given))]
          : [];
      }),
      ...body
        .descendantsOfType('property_identifier')
        .filter(({ text }) => text === 'should')
        .flatMap(({ endIndex }) => notBehind(source, endIndex)),
    ];
  },

  go: (body) =>
    body.descendantsOfType('if_statement').flatMap((node) => {
      const [condition, then] = [node.childForFieldName('condition'), node.childForFieldName('consequence')];
      return condition && then && /\.(Error|Fatal|Fail)(f|Now)?\(/.test(then.text) ? [negated(spanOf(condition))] : [];
    }),

  rust: (body) =>
    body.descendantsOfType('macro_invocation').flatMap((node) => {
      const [macro, given] = [node.childForFieldName('macro'), node.namedChildren.at(-1)];
      if (!macro || !/^(debug_)?assert$/.test(macro.text) || given?.type !== 'token_tree') return [];
      const start = given.startIndex + 1;
      const end = given.children.find(({ text }) => text === ',')?.startIndex ?? given.endIndex - 1;
      return [negated({ start, end })];
    }),

  java: () => [],
  kotlin: () => [],
  php: () => [],
  ruby: () => [],
};

/** Puts `not` into a chain of what is expected, or takes it out. */
function notBehind(source: string, at: number): Edit[][] {
  if (source.startsWith('.not.', at)) return [[{ start: at, end: at + 4, text: '' }]];
  return source[at] === '.' ? [[{ start: at, end: at, text: '.not' }]] : [];
}

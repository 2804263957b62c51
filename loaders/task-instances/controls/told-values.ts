import { basename } from 'node:path/posix';
import { foundTexts } from '../../snapshot/apply-patch.ts';
import { languageOf } from '../../snapshot/language-of.ts';
import { isTestFile } from '../is-test-file.ts';
import type { Literal } from './literals.ts';
import { messageAndInterface, spansOf } from '../statements/interface.ts';
import { unknown, type TestDeclaration } from './test-file.ts';

/** A file of tests as it is placed. */
interface TestFile {
  source: string;
  tests: readonly TestDeclaration[];
}

/** Of shorter texts and smaller numbers the wrong ones stand everywhere, too, so that where the right one stands tells nothing. */
const minTextLength = 4;
const minDigits = 3;

type Value = Pick<Literal, 'kind' | 'text'>;

export const innerOf = ({ kind, text }: Value): string => (kind === 'string' ? text.slice(1, -1) : text);

/** The same for what is the same value, in whichever quotes. */
export const valueKey = (value: Value): string => `${value.kind === 'string' ? 'string' : 'value'}\0${innerOf(value)}`;

function isRare(literal: Literal): boolean {
  const inner = innerOf(literal);
  if (literal.kind === 'word' || inner.includes('\\')) return false;
  if (literal.kind === 'string') return inner.trim().length >= minTextLength && /[\p{L}\p{N}]/u.test(inner);
  return inner.replace('.', '').replace(/^0+/, '').length >= minDigits;
}

/** The values that a test compares with, in its own text and in its tables; of a table in its body all that it has. */
export const comparedBy = (test: TestDeclaration): Literal[] =>
  test.comparesValues || test.tables.length > 0 || test.hasTable
    ? [test, ...test.tables].flatMap(({ literals }) => literals)
    : [];

/** What the tests of a file tell which have one name, as the base has them. */
export interface KnownTest {
  /** All their values. */
  values: ReadonlySet<string>;
  /** The statements, and rows of tables, in which they compare with a value. */
  assertions: ReadonlySet<string>;
  /** Each word in them. */
  words: ReadonlySet<string>;
}

/** What tests of a file tell, by their names. */
export function knownTests(source: string, tests: readonly TestDeclaration[]): ReadonlyMap<string, KnownTest> {
  return new Map(
    Array.from(
      Map.groupBy(tests, ({ name }) => name),
      ([name, same]) => [
        name,
        {
          values: new Set(same.flatMap(allValuesOf).map(valueKey)),
          assertions: new Set(same.flatMap((test) => [...assertionsOf(source, comparedBy(test)).values()])),
          words: new Set(same.flatMap((test) => wordsOf(source, test))),
        },
      ],
    ),
  );
}

const allValuesOf = (test: TestDeclaration): Literal[] =>
  [test.literals, test.inputs, ...test.tables.map(({ literals }) => literals)].flat();

const wordsOf = (source: string, { start, end }: TestDeclaration) => source.slice(start, end).match(/\w+/g) ?? [];

/** The statements and rows that values stand in, by where they start, without how they are laid out. */
const assertionsOf = (source: string, literals: readonly Literal[]): Map<number, string> =>
  new Map(
    Array.from(new Map(literals.map(({ statement }) => [statement.start, statement.end])), ([start, end]) => [
      start,
      source.slice(start, end).replaceAll(/\s+/g, ' '),
    ]),
  );

/**
 * The values that tests compare with and that can be read elsewhere than in what a control changes, so that nobody has to compute them: in
 * another file as the base has it, which code under test can look into; in another place of the tests' own file; in the test's
 * name, which a control has, too; or in what is said of the task, also of what its tests ask for, which who solves it can write into
 * that code.
 */
export async function toldValues(
  tree: string,
  files: readonly TestFile[],
  statement: string,
): Promise<ReadonlySet<Literal>> {
  const compared = files.map(({ source, tests }) => ({ source, literals: new Set(tests.flatMap(comparedBy)) }));
  const rare = new Set(compared.flatMap(({ literals }) => [...literals].filter(isRare).map(innerOf)));
  const found = await foundTexts(tree, [...rare]);
  const { message, interface: more } = messageAndInterface(statement);
  const isGiven = givenBy(more);
  const told = new Set<Literal>();
  for (const { source, literals } of compared)
    for (const [inner, same] of Map.groupBy(literals, innerOf)) {
      const changed = new Set(same.map(({ start }) => start)).size;
      const isElsewhere =
        (rare.has(inner) && hasAsWords(message, inner)) ||
        isGiven(inner) ||
        found.has(inner) ||
        (rare.has(inner) && source.split(inner).length - 1 > changed);
      if (isElsewhere) for (const literal of same) told.add(literal);
    }
  for (const test of files.flatMap(({ tests }) => tests))
    for (const literal of comparedBy(test)) if (isInName(test, literal)) told.add(literal);
  return told;
}

const isOfWord = (letter: string) => /[\p{L}\p{N}_]/u.test(letter);

/** Whether a text has a value that is no part of a longer word there: `#21003` has no `100`. */
function hasAsWords(text: string, value: string): boolean {
  for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + 1)) {
    const end = at + value.length;
    const goesOn = (left: number) => isOfWord(text.charAt(left)) && isOfWord(text.charAt(left + 1));
    if (!goesOn(at - 1) && !goesOn(end - 1)) return true;
  }
  return false;
}

/** Tells whether an interface gives a value: as a whole between marks, also with dots for what is filled in. */
function givenBy(text: string): (value: string) => boolean {
  const spans = spansOf(text);
  const whole = new Set(spans);
  const forms = spans
    .map((span) => span.split('…'))
    .filter((parts) => parts.length > 1 && parts.join('').length >= minTextLength);
  return (value) => {
    const plain = value.replaceAll(/\\(["'`\\])/g, '$1');
    return whole.has(plain) || forms.some((parts) => hasInTurn(plain, parts));
  };
}

/** Whether a text begins, goes on and ends with these parts, whatever stands between them. */
function hasInTurn(text: string, parts: readonly string[]): boolean {
  if (!text.startsWith(parts[0] ?? '') || !text.endsWith(parts.at(-1) ?? '')) return false;
  let at = 0;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return true;
}

/** Without how a language writes names: `test_gives_a_b`, `gives "a-b"`. */
const plainWords = (text: string) =>
  ` ${text
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase()} `;

function isInName({ name }: TestDeclaration, literal: Literal): boolean {
  if (literal.kind === 'word') return false;
  const said = plainWords(innerOf(literal));
  return said.trim() !== '' && plainWords(name.replaceAll(unknown, ' ')).includes(said);
}

/**
 * The first value of a test all of whose values are told, so that a patch passes it and its controls by copying; null of any other. What
 * compares as it does in the base, each question with its value, and says nothing new beside that, is told by itself: `inBase` is that.
 */
export function toldOf(
  told: ReadonlySet<Literal>,
  source: string,
  test: TestDeclaration,
  inBase: KnownTest | undefined,
): string | null {
  const literals = comparedBy(test);
  const [first] = literals;
  const assertions = assertionsOf(source, literals);
  const isNew =
    inBase === undefined ||
    !test.inputs.every((input) => inBase.values.has(valueKey(input))) ||
    !wordsOf(source, test).every((word) => inBase.words.has(word));
  const isInBase = ({ statement }: Literal) => !isNew && inBase.assertions.has(assertions.get(statement.start) ?? '');
  return first && literals.every((literal) => told.has(literal) || isInBase(literal)) ? first.text : null;
}

/** Files that tests may read what they compare with from, by path: code under test can read it there, too. */
export interface TestData {
  /** Those that come with the tests of the fix. */
  brought: readonly string[];
  /** With those that tests have had, by the last part of their path. */
  byName: ReadonlyMap<string, string>;
}

/** Files that say how tests are run, or are read by people. */
const noData =
  /^(readme|changelog|changes|license|requirements|constraints)\b|^(setup\.cfg|tox\.ini|pytest\.ini|package(-lock)?\.json|pyproject\.toml|cargo\.(toml|lock)|go\.(mod|sum)|[jt]sconfig.*|\.[^/]*)$|\.config\./i;

/** `changed`: what the tests of the fix bring or change; `files`: what the base has. */
export function testData(changed: readonly string[], files: readonly string[]): TestData {
  const isData = (path: string) =>
    isTestFile(path) && languageOf(path) === null && /[^/]\.[^/.]+$/.test(path) && !noData.test(basename(path));
  const brought = changed.filter(isData);
  return { brought, byName: new Map([...files.filter(isData), ...brought].map((path) => [basename(path), path])) };
}

/** Where it says nowhere that a file is read, the files beside it tell its tests nothing. */
const reads =
  /(?<![A-Za-z])(?:[Rr]ead|[Oo]pen|[Ll]oad)|[a-z](?:Read|Open|Load)|[Ss]napshot|(?<!pytest\.)[Ff]ixture|[Gg]olden|[Tt]estdata|include_(?:str|bytes)|get_contents|[Rr]esource|[Gg]lob(?!al)/;

const asserts = /assert|expect|raises|throws|should|refute|require\.|\bt\.(Error|Fatal)/i;
const compares =
  /[=!]=|(?<![a-z])(eq|ne)(?![a-z])|equal|eql|same|match(?!\s*=)|snapshot|diff|contain|include(?!_)|assert[^\n]*\sin\s/i;

/**
 * The file that tells what a test compares with which compares with no value of its own: one that it names, or that comes with it. Null
 * where all that it asserts is that something is true or is raised: of that a file tells nothing.
 */
export function toldByFile({ brought, byName }: TestData, source: string, test: TestDeclaration): string | null {
  const text = source.slice(test.start, test.end);
  // What says nothing of the kind is compared by what it calls.
  if ((comparedBy(test).length > 0 && !test.hasTable) || (asserts.test(text) && !compares.test(text))) return null;
  const names = Array.from(text.matchAll(/(["'`])((?:(?!\1)[^\n]){3,200})\1/g), ([, , named = '']) => basename(named));
  const named = names.map((name) => byName.get(name)).find((path) => path !== undefined);
  const path = named ?? (reads.test(source) ? brought[0] : undefined);
  return path === undefined ? null : `what ${path} has`;
}

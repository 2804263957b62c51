import type { Literal } from './literals.ts';
import { shuffled } from './shuffled.ts';
import type { Span, TestDeclaration } from './test-file.ts';

export interface Swap {
  literal: Literal;
  to: string;
}

/** A statement of a test that asks with values and compares what comes with others. */
interface Assertion {
  /** It without its values, and which kinds these are. */
  form: string;
  asked: readonly Literal[];
  /** The texts of the values that it asks with, and of those that it compares with. */
  question: string;
  answer: string;
}

const maxRows = 5;

/**
 * Rows of changes to a test, each of which makes one of its assertions ask what another assertion of the same form asks, which says that
 * something else comes of it: so it must fail, whichever way the task is solved.
 */
export function otherQuestions(
  source: string,
  tests: readonly TestDeclaration[],
): (test: TestDeclaration) => readonly (readonly Swap[])[] {
  const assertions = new Map(tests.map((test) => [test, assertionsOf(source, test)]));
  const byForm = Map.groupBy([...assertions.values()].flat(), ({ form }) => form);
  const candidates = new Map(
    [...byForm].flatMap(([form, alike]) => {
      const answers = Map.groupBy(alike, ({ question }) => question);
      // What has two answers depends on more than the question.
      const isClear = [...answers.values()].every((same) => new Set(same.map(({ answer }) => answer)).size === 1);
      const drawn = shuffled([...Map.groupBy(shuffled(alike), ({ answer }) => answer).values()]).slice(0, maxRows + 1);
      return isClear ? [[form, drawn.flatMap(([first]) => first ?? [])]] : [];
    }),
  );
  return (test) =>
    shuffled(
      (assertions.get(test) ?? []).flatMap(({ form, asked, answer }) =>
        (candidates.get(form) ?? [])
          .filter((other) => other.answer !== answer)
          .map((other) => asked.map((literal, index) => ({ literal, to: other.asked[index]?.text ?? literal.text }))),
      ),
    ).slice(0, maxRows);
}

function assertionsOf(source: string, test: TestDeclaration): Assertion[] {
  if (test.asksOnly) return [];
  const isOwn = ({ start }: Literal) => test.start <= start && start < test.end;
  const [asked, compared] = [test.inputs, test.literals.filter(isOwn)].map((literals) =>
    Map.groupBy(literals, ({ statement }) => statement.start),
  );
  const found = [...(compared ?? [])].flatMap(([start, answer]) => {
    const question = asked?.get(start);
    const statement = answer[0]?.statement;
    return question && statement ? { statement, question, answer } : [];
  });
  const bound = boundIn(source, test, found);
  return found.flatMap(({ statement, question, answer }) => {
    const form = formOf(source, statement, [...question, ...answer]);
    // A name that the test itself binds may stand for something else in another test.
    if ((form.match(/\w+/g) ?? []).some((name) => bound.has(name))) return [];
    return { form, asked: question, question: written(question), answer: written(answer) };
  });
}

const written = (literals: readonly Literal[]) => literals.map(({ text }) => text).join('\0');

/** The names that a test gives a value outside of these statements. */
function boundIn(source: string, test: Span, statements: readonly { statement: Span }[]): Set<string> {
  let [rest, at] = ['', test.start];
  for (const { statement } of statements.toSorted((one, other) => one.statement.start - other.statement.start)) {
    rest += `${source.slice(at, statement.start)}\n`;
    at = Math.max(at, statement.end);
  }
  rest += source.slice(at, test.end);
  const binding = /(?<!\w)(\w+)\s*(?::=|=(?![=>]))|\b(?:for|as|let|const|var|val)\s+(\w+)/g;
  return new Set(Array.from(rest.matchAll(binding), ([, one, other]) => one ?? other ?? ''));
}

function formOf(source: string, { start, end }: Span, literals: readonly Literal[]): string {
  let [form, at] = ['', start];
  for (const literal of literals.toSorted((one, other) => one.start - other.start)) {
    form += `${source.slice(at, literal.start)}\0`;
    at = literal.end;
  }
  return (form + source.slice(at, end)).replaceAll(/\s+/g, ' ');
}

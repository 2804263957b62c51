import type { AST } from '@eslint-community/regexpp';
import type { Expression, Pattern } from './expression.ts';
import { alternativesOf, written } from './pattern.ts';

/**
 * What a text must have to fit: texts of three characters or more, without regard to case. Null: anything may fit. (Russ Cox,
 * "Regular Expression Matching with a Trigram Index".)
 */
export type Needed = { op: 'and' | 'or'; parts: readonly Needed[] } | { op: 'text'; text: string } | null;

/** What files need that fit the expression. */
export function neededBy(expression: Expression): Needed {
  switch (expression.op) {
    case 'and':
      return all(expression.parts.map(neededBy));
    case 'or':
      return any(expression.parts.map(neededBy));
    case 'text':
      return neededByPattern(expression.pattern);
    default:
      return null;
  }
}

/** The trigrams of a text, each once, as an index without a tokenizer of its own keeps them. */
export function trigramsOf(text: string): Set<string> {
  const found = new Set<string>();
  let [a, b] = ['', ''];
  for (const character of text) {
    const c = fold(character);
    if (a !== '') found.add(a + b + c);
    [a, b] = [b, c];
  }
  return found;
}

/** One case for all, character by character. */
function fold(character: string): string {
  const upper = character.toUpperCase();
  const lower = (upper.length === character.length ? upper : character).toLowerCase();
  return lower.length === character.length ? lower : character;
}

/** Engines fold what is not ASCII each in its own way: of that, only what has no case is looked for. */
const isSure = (character: string) =>
  character < '\u0080'
    ? character !== '\0'
    : character.toLowerCase() === character && character.toUpperCase() === character;

function neededByPattern({ source, isRegex }: Pattern): Needed {
  return isRegex ? neededIn(ofAlternatives(alternativesOf(written(source).body))) : ofText(source);
}

/** The longest text that is in whatever fits this pattern, but for case; empty where none is known. */
export function textNeededBy({ source, isRegex }: Pattern): string {
  if (!isRegex) return source;
  const { body } = written(source);
  const [only, ...others] = alternativesOf(body);
  // What has a case of its own is another text.
  if (only === undefined || others.length > 0 || /\(\?[a-z-]+:/.test(body)) return '';
  let [longest, run] = ['', ''];
  for (const element of only.elements) {
    const part = ofElement(element);
    const [text, ...more] = part.exact ?? [];
    // What is there in several ways parts the texts around it.
    run = text === undefined || more.length > 0 ? '' : run + text;
    if (run.length > longest.length) longest = run;
  }
  return longest;
}

function ofText(text: string): Needed {
  const runs: string[] = [''];
  for (const character of text)
    if (isSure(character)) runs.push(runs.pop() + character);
    else if (runs.at(-1) !== '') runs.push('');
  return all(runs.filter((run) => Array.from(run).length >= 3).map((run) => ({ op: 'text', text: run })));
}

/** More of them are not needed to tell files apart, and each is looked up. */
const maxTrigrams = 16;

/** Some trigrams of a text that is needed, as `trigramsOf` has them: all, or as many as do. */
export function someTrigramsOf(text: string): string[] {
  const trigrams = [...trigramsOf(text)];
  const step = Math.max(1, trigrams.length / maxTrigrams);
  return Array.from({ length: Math.ceil(trigrams.length / step) }, (_, i) => trigrams[Math.floor(i * step)] ?? '');
}

function all(parts: readonly Needed[]): Needed {
  const some = parts.filter((part) => part !== null);
  return some.length > 1 ? { op: 'and', parts: some } : (some[0] ?? null);
}

function any(parts: readonly Needed[]): Needed {
  const [only, ...more] = parts;
  if (parts.some((part) => part === null) || only === undefined) return null;
  return more.length === 0 ? only : { op: 'or', parts };
}

/** What part of an expression can match: exactly these texts, or, where that is null, something that needs at least this. */
type Part = { exact: readonly string[] } | { exact: null; needed: Needed };

const neededIn = (part: Part): Needed => (part.exact === null ? part.needed : any(part.exact.map(ofText)));

const anything: Part = { exact: null, needed: null };
const nothing: Part = { exact: [''] };
/** More texts than these are not told apart. */
const maxTexts = 24;
const maxLength = 64;

function ofAlternatives(alternatives: readonly AST.Alternative[]): Part {
  const parts = alternatives.map(ofSequence);
  const texts = new Set(parts.flatMap(({ exact }) => exact ?? []));
  if (parts.every(({ exact }) => exact !== null) && texts.size <= maxTexts) return { exact: [...texts] };
  return { exact: null, needed: any(parts.map(neededIn)) };
}

/** Texts that follow one another are put together; what is not exact parts them, and what it needs is needed too. */
function ofSequence({ elements }: AST.Alternative): Part {
  const needs: Needed[] = [];
  let run: readonly string[] = [''];
  let isExact = true;
  const cut = () => {
    needs.push(neededIn({ exact: run }));
    run = [''];
    isExact = false;
  };
  for (const element of elements) {
    const part = ofElement(element);
    if (part.exact === null) {
      cut();
      needs.push(part.needed);
      continue;
    }
    if (run.length * part.exact.length > maxTexts || (run[0] ?? '').length > maxLength) cut();
    const { exact } = part;
    run = run.flatMap((before) => exact.map((text) => before + text));
  }
  if (isExact) return { exact: run };
  cut();
  return { exact: null, needed: all(needs) };
}

function ofElement(element: AST.Element): Part {
  switch (element.type) {
    case 'Character':
      return { exact: [String.fromCodePoint(element.value)] };
    case 'CharacterClass':
      return ofClass(element);
    case 'Group':
    case 'CapturingGroup':
      return ofAlternatives(element.alternatives);
    case 'Assertion':
      return nothing;
    case 'Quantifier':
      return ofQuantifier(element);
    default:
      return anything;
  }
}

function ofClass({ negate, elements }: AST.CharacterClass): Part {
  if (negate) return anything;
  const characters = new Set<string>();
  for (const element of elements) {
    if (element.type === 'Character') characters.add(String.fromCodePoint(element.value));
    else if (element.type === 'CharacterClassRange' && element.max.value - element.min.value < maxTexts)
      for (let code = element.min.value; code <= element.max.value; code++) characters.add(String.fromCodePoint(code));
    else return anything;
  }
  return characters.size > 0 && characters.size <= maxTexts ? { exact: [...characters] } : anything;
}

function ofQuantifier({ min, max, element }: AST.Quantifier): Part {
  const once = ofElement(element);
  if (min === 0) {
    return max === 1 && once.exact !== null && once.exact.length < maxTexts
      ? { exact: [...new Set(['', ...once.exact])] }
      : anything;
  }
  if (min === 1 && max === 1) return once;
  // What is there more often is there once at least.
  const [only, ...more] = once.exact ?? [];
  if (only === undefined || more.length > 0 || only.length * min > maxLength)
    return { exact: null, needed: neededIn(once) };
  return min === max ? { exact: [only.repeat(min)] } : { exact: null, needed: ofText(only.repeat(min)) };
}

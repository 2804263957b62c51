/** What a line, a path or a name is compared with. */
export interface Pattern {
  /** As typed: text that is looked for as it stands, or a regular expression of JavaScript. */
  source: string;
  isRegex: boolean;
  matchCase: boolean;
}

/** Which files fit. Text is looked for line by line; a file fits where some line does. */
export type Expression =
  | { op: 'and' | 'or'; parts: readonly Expression[] }
  | { op: 'not'; part: Expression }
  | { op: 'text' | 'path'; pattern: Pattern }
  /** Any of these, by linguist's names in small letters. */
  | { op: 'language'; names: readonly string[] }
  /** One that is asked for by name. Who knows the caller's `names` adds them, by the key of each repository. */
  | { op: 'named'; pattern: Pattern; names?: ReadonlyMap<string, readonly string[]> }
  | { op: 'repositories'; keys: readonly string[] };

/** What is known of a file without its text. */
export interface FileFacts {
  repository: string;
  path: string;
  /** Linguist's name; null where it is none that linguist calls a programming language. */
  language: string | null;
}

/** The patterns that lines are to be found by: those of text that are not ruled out. */
export function soughtIn(expression: Expression): Pattern[] {
  if (expression.op === 'text') return [expression.pattern];
  return 'parts' in expression ? expression.parts.flatMap(soughtIn) : [];
}

/** Whether a path has a pattern, and the name of a repository. */
interface Comparing {
  isMatch(pattern: Pattern, path: string): boolean;
  isNamed(pattern: Pattern, name: string): boolean;
}

/** Whether a file fits, where `text` says of a pattern whether its text has it; null where it says null and that decides. */
export function fits(
  expression: Expression,
  file: FileFacts,
  comparing: Comparing,
  text: (pattern: Pattern) => boolean | null,
): boolean | null {
  const of = (part: Expression) => fits(part, file, comparing, text);
  switch (expression.op) {
    case 'and':
    case 'or': {
      const deciding = expression.op === 'or';
      let result: boolean | null = !deciding;
      for (const part of expression.parts) {
        const each = of(part);
        if (each === deciding) return deciding;
        if (each === null) result = null;
      }
      return result;
    }
    case 'not': {
      const each = of(expression.part);
      return each === null ? null : !each;
    }
    case 'text':
      return text(expression.pattern);
    case 'path':
      return comparing.isMatch(expression.pattern, file.path);
    case 'language':
      return expression.names.includes(file.language?.toLowerCase() ?? '');
    case 'repositories':
      return expression.keys.includes(file.repository);
    case 'named': {
      const { pattern, names } = expression;
      if (names === undefined) throw new Error('A repository is asked for by name, and nobody said what its name is.');
      return names.get(file.repository)?.some((name) => comparing.isNamed(pattern, name)) ?? false;
    }
  }
}

/** All patterns that are compared with anything. */
export function patternsIn(expression: Expression): Pattern[] {
  if ('pattern' in expression) return [expression.pattern];
  if (expression.op === 'not') return patternsIn(expression.part);
  return 'parts' in expression ? expression.parts.flatMap(patternsIn) : [];
}

/** One simple command of a shell script, or words of the shell's own that stand alone. */
export interface ShellStatement extends ShellCommand {
  /** Every word as written: also those that only the shell can tell. */
  written: readonly string[];
  /** `if`, `then`, `{` and their like before the first word. */
  keywords: readonly string[];
  /** `NAME=value` before the first word. */
  assignments: readonly string[];
  /** Nothing waits for it: it ends with `&`. */
  background: boolean;
  /** Parentheses between the command before and this one, in their order; `(` too for `$(` and its like. */
  parentheses: string;
}

/** One simple command of a shell script. */
export interface ShellCommand {
  /** As written, with their quotes; words that only the shell can tell are left out, and so is sudo. */
  words: readonly string[];
  line: number;
  /** What stands before it: `|` where it reads what the command before writes, `<(` where that one reads it as a file. */
  before: string;
  /** The file that it writes to. */
  output: string | null;
}

/** In one go and each in bounded time, whatever the text is. */
const token =
  /(?<skipped>[ \t\r]+|\\\n)|(?<separator>\n|<\(|>\(|\$\(|`|&&|\|\||;+|\|&?|[()])|<<-?[ \t]{0,8}(?<quote>['"]?)(?<heredoc>\w{1,80})\k<quote>|(?<redirect>\d?(?:>>?|<)(?:&\d|&-)?|&>>?)|(?<background>&)|'(?<single>[^']*)'|"(?<double>(?:[^"\\]|\\[^])*)"|(?<expansion>\$\{[^}\n]{0,200}\}|\$\w{1,80}|\$)|(?<literal>(?:[^\s'"\\$`;&|()<>]|\\[^\n])+)|(?<other>[^])/gy;
const keywords = new Set(['if', 'then', 'elif', 'else', 'while', 'until', 'do', '!', '{', '}', 'time', 'sudo']);

/** The commands of a script in their order, also those within others; what heredocs hold are none. */
export function shellCommands(text: string): ShellCommand[] {
  return shellStatements(text).filter(({ words }) => words.length > 0);
}

/** The same with the words that give a script its structure, and with what only the shell can tell. */
export function shellStatements(text: string): ShellStatement[] {
  const commands: ShellStatement[] = [];
  const heredocs: string[] = [];
  let words: string[] = [];
  let all: string[] = [];
  let keywordsBefore: string[] = [];
  let assignments: string[] = [];
  let word: { text: string; kinds: number } | null = null;
  let output: string | null = null;
  let redirects = false;
  let before = '\n';
  let parentheses = '';
  let line = 1;
  let startedAt = 1;
  const endWord = () => {
    if (!word) return;
    const { text: written, kinds } = word;
    word = null;
    if (redirects) {
      output ??= kinds === 1 ? written : null;
      redirects = false;
      return;
    }
    if (all.length === 0) startedAt = line;
    if (words.length === 0 && all.length === 0 && /^\w+=/.test(written)) assignments.push(written);
    else if (kinds === 1 && isKeyword(written, words)) keywordsBefore.push(written);
    else {
      all.push(written);
      if (kinds === 1 && !(words.length === 0 && /^\w+=/.test(written))) words.push(written);
    }
  };
  const endCommand = (sign: string) => {
    endWord();
    if (all.length + keywordsBefore.length + assignments.length > 0) {
      commands.push({
        words,
        written: all,
        keywords: keywordsBefore,
        assignments,
        background: sign === '&',
        line: startedAt,
        before,
        output,
        parentheses,
      });
      parentheses = '';
    }
    if (/[()]$/.test(sign)) parentheses += sign.slice(-1);
    all = [];
    keywordsBefore = [];
    assignments = [];
    words = [];
    output = null;
    redirects = false;
    before = sign;
  };
  /** More than one part, or one that only the shell can tell, makes a word unknown. */
  const part = (written: string, isKnown = true) => {
    word = word ? { text: word.text + written, kinds: 2 } : { text: written, kinds: isKnown ? 1 : 2 };
  };

  token.lastIndex = 0;
  for (let match = token.exec(text); match; match = token.exec(text)) {
    const { skipped, separator, heredoc, redirect, background, single, double, expansion, literal } =
      match.groups ?? {};
    if (skipped !== undefined) {
      if (skipped !== '\\\n') endWord();
    } else if (separator !== undefined || background !== undefined) endCommand(separator ?? '&');
    else if (heredoc !== undefined) heredocs.push(heredoc);
    else if (redirect !== undefined) {
      endWord();
      redirects = /^1?>>?$|^&>>?$/.test(redirect);
    } else if (single !== undefined) part(`'${single}'`);
    else if (double !== undefined) part(`"${double}"`, !/[$`]/.test(double));
    else if (expansion !== undefined) part(expansion, false);
    else if (literal?.startsWith('#') && !word) token.lastIndex = endOfLine(text, match.index);
    else part(literal ?? match[0]);
    for (let at = match[0].indexOf('\n'); at !== -1; at = match[0].indexOf('\n', at + 1)) line += 1;
    if (separator === '\n' && heredocs.length > 0) {
      const end = endOfHeredocs(text, token.lastIndex, heredocs.splice(0));
      line += text.slice(token.lastIndex, end).split('\n').length - 1;
      token.lastIndex = end;
    }
  }
  endCommand('');
  return commands;
}

const isKeyword = (written: string, words: readonly string[]) =>
  written === 'sudo' || (words.length === 0 && keywords.has(written));

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

/** Behind the line with the last one's word; the end of the text where one of them never ends. */
function endOfHeredocs(text: string, from: number, ends: readonly string[]): number {
  let at = from;
  for (const word of ends) {
    for (let isOpen = true; isOpen;) {
      if (at >= text.length) return text.length;
      const end = endOfLine(text, at);
      isOpen = text.slice(at, end).trim() !== word;
      at = end + 1;
    }
  }
  return Math.min(at, text.length);
}

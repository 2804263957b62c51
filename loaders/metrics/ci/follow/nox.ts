import { posix } from 'node:path';
import { asScript } from './as-script.ts';
import type { Follower, Step } from './follow.ts';
import { toolOf } from './wrappers.ts';

interface Session {
  name: string;
  python: string;
  body: string;
  isDefault: boolean;
}

/** `nox -s tests`, `inv test`: what the sessions of noxfile.py, the tasks of tasks.py run. */
export const nox: Follower = ({ words, dir }, sources) => {
  const tool = toolOf(words);
  if (!/^(nox|inv|invoke)$/.test(tool)) return null;
  const isNox = tool === 'nox';
  const file = words.findIndex((word) => /^(-f|--noxfile)$/.test(word));
  const path = posix.join(dir, file === -1 ? (isNox ? 'noxfile.py' : 'tasks.py') : (words[file + 1] ?? ''));
  const text = sources.paths.has(path) ? sources.text(path) : null;
  if (text === null) return { fails: `there is no ${path}` };
  const sessions = sessionsIn(text);
  const named = isNox ? askedFor(words) : words.slice(1).filter((word) => !word.startsWith('-'));
  // A session that only the run can tell is any of them.
  const asked = named.some((name) => name.includes('$')) ? [] : named;
  const listed = /nox\.options\.sessions\s{0,9}=\s{0,9}[[(]([^\])]*)[\])]/.exec(text)?.[1];
  const defaults = listed === undefined ? null : stringsIn(listed);
  const wanted = sessions.filter(({ name, python, isDefault }) =>
    asked.length > 0
      ? asked.some(
          (each) => each === name || each === python || each.startsWith(`${name}-`) || each.startsWith(`${name}(`),
        )
      : (defaults?.includes(name) ?? isDefault),
  );
  if (wanted.length === 0)
    return asked.length > 0 && sessions.length > 0 && !asked.some((name) => name.includes('$'))
      ? { fails: `${path} has no session \`${asked.join(' ')}\`` }
      : [];
  return wanted.flatMap((session) => stepsOf(session, dir, path));
};

function askedFor(words: readonly string[]): string[] {
  const at = words.findIndex((word) => /^(-s|-e|--sessions?)(=|$)/.test(word));
  if (at === -1) return [];
  const joined = words[at]?.split('=')[1];
  if (joined !== undefined) return joined.split(',');
  const end = words.findIndex((word, index) => index > at && word.startsWith('-'));
  return words.slice(at + 1, end === -1 ? undefined : end);
}

function sessionsIn(text: string): Session[] {
  const sessions: Session[] = [];
  const lines = text.split('\n');
  let decorator: string | null = null;
  for (const [index, line] of lines.entries()) {
    if (/^@(?:nox\.)?(?:session|task|invoke\.task)\b/.test(line)) decorator = line;
    else if (decorator !== null && line.startsWith('@')) decorator += line;
    const python = /^(?:async )?def (\w+)\(/.exec(line)?.[1];
    if (python === undefined) {
      // Arguments of a decorator go on over lines.
      if (decorator !== null && !line.startsWith('@')) decorator += line;
      continue;
    }
    if (decorator !== null) {
      const end = lines.findIndex((each, at) => at > index && /^[^\s#)\]}]/.test(each));
      const name = /\bname\s{0,9}=\s{0,9}["']([^"']{1,80})["']/.exec(decorator.slice(0, 2_000))?.[1] ?? python;
      const isDefault = !/\bdefault\s{0,9}=\s{0,9}False\b/.test(decorator.slice(0, 2_000));
      sessions.push({ name, python, body: lines.slice(index + 1, end === -1 ? undefined : end).join('\n'), isDefault });
    }
    decorator = null;
  }
  return sessions;
}

/** `session.run("pytest", "tests")`, `c.run("pytest tests")`. */
function stepsOf({ name, body }: Session, dir: string, path: string): Step[] {
  const steps: Step[] = [];
  for (const call of body.matchAll(/\b(?:\w{1,40})\.run(?:_always)?\(/g)) {
    if (/^\s*#/.test(body.slice(body.lastIndexOf('\n', call.index) + 1, call.index))) continue;
    const inside = callArguments(body, call.index + call[0].length);
    const words = stringsIn(
      inside.replaceAll(/\b\w{1,40}\s{0,9}=\s{0,9}(?:["'][^"'\n]*["']|\{[^}]*\}|\[[^\]]*\])/g, ''),
    );
    const [first = ''] = words;
    if (first === '') continue;
    const forgives = /success_codes\s{0,9}=\s{0,9}[^\n]*\b1\b|\bwarn\s{0,9}=\s{0,9}True/.test(inside);
    steps.push({
      text: words.length === 1 ? first : asScript(words),
      dir,
      via: `${path} ${name}`,
      errexit: true,
      hidden: forgives ? 'its failure is among the codes of success' : null,
    });
  }
  return steps;
}

const maxCallLength = 4_000;

function callArguments(text: string, from: number): string {
  let depth = 1;
  for (let at = from; at < Math.min(text.length, from + maxCallLength); at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    if (depth === 0) return text.slice(from, at);
  }
  return text.slice(from, from + maxCallLength);
}

const stringsIn = (text: string): string[] =>
  [...text.matchAll(/"([^"\n]*)"|'([^'\n]*)'/g)].map(([, double, single]) => double ?? single ?? '');

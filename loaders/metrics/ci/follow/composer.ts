import { posix } from 'node:path';
import { asRecord, asTexts } from '../triggers.ts';
import { folderFrom } from '../shell-script.ts';
import { asScript } from './as-script.ts';
import type { Follower } from './follow.ts';
import { toolOf } from './wrappers.ts';

const own =
  /^(install|i|update|u|require|remove|validate|dump-autoload|dumpautoload|config|global|audit|outdated|show|create-project|self-update|selfupdate|diagnose|init|why|normalize|bump|check-platform-reqs)$/;

/** `composer test`, `composer run-script lint`, `composer exec phpunit`: scripts of composer.json. */
export const composer: Follower = ({ words, dir }, sources) => {
  if (!/^composer(\.phar)?$/.test(toolOf(words))) return null;
  const at = words.findIndex((word) => word === '-d' || word === '--working-dir');
  const folder = at === -1 ? dir : folderFrom(dir, words[at + 1] ?? '');
  const rest = words.slice(1).filter((word, index) => !word.startsWith('-') && index + 1 !== at + 1);
  const [verb = '', ...more] = rest;
  if (verb === 'exec')
    return [
      {
        text: asScript(
          words.slice(words.indexOf('exec') + 1).filter((word, index) => index > 0 || !word.startsWith('-')),
        ),
        dir: folder,
      },
    ];
  const name = /^(run|run-script)$/.test(verb) ? (more[0] ?? '') : verb;
  if (name === '' || (name === verb && own.test(verb))) return null;
  const path = posix.join(folder, 'composer.json');
  const scripts = scriptsIn(sources.paths.has(path) ? sources.text(path) : null);
  if (scripts === null) return { fails: 'there is no composer.json' };
  if (scripts[name] === undefined) return { fails: `${path} has no script \`${name}\`` };
  return asTexts(scripts[name]).map((text) => ({
    // `@other` is another script, `@php` the interpreter, and what has a `::` is code that composer calls.
    text: text
      .replace(/^@(php|composer)\b/, '$1')
      .replace(/^@putenv\b.*$/, '')
      .replace(/^@([\w:.-]+)/, 'composer run-script $1'),
    dir: folder,
  }));
};

function scriptsIn(text: string | null): Record<string, unknown> | null {
  try {
    return text === null ? null : asRecord(asRecord(JSON.parse(text))['scripts']);
  } catch {
    return null;
  }
}

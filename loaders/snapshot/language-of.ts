import linguist from '../reference-data/linguist-languages.json' with { type: 'json' };
import preferred from '../reference-data/linguist-preferred.json' with { type: 'json' };

/** What is used of linguist's languages (MIT), as the package linguist-languages has them. */
interface Language {
  name: string;
  type: string;
  aliases?: readonly string[];
  extensions?: readonly string[];
  filenames?: readonly string[];
  interpreters?: readonly string[];
}

/** Where linguist decides by content, what nearly all such files are. */
const preferredByExtension: Readonly<Record<string, string | undefined>> = preferred;
const languages: readonly Language[] = linguist;
const byName = new Map<string, Language>();
const byExtension = new Map<string, Language>();
const byFilename = new Map<string, Language>();
const byInterpreter = new Map<string, Language>();

for (const language of languages) {
  const { aliases = [], extensions = [], filenames = [], interpreters = [] } = language;
  for (const alias of aliases) if (!byName.has(alias)) byName.set(alias, language);
  for (const filename of filenames) if (!byFilename.has(filename)) byFilename.set(filename, language);
  for (const interpreter of interpreters) if (!byInterpreter.has(interpreter)) byInterpreter.set(interpreter, language);
  for (const [index, extension] of extensions.entries()) {
    const known = byExtension.get(extension);
    // A language's first extension is its own; others may be borrowed.
    const chosen = preferredByExtension[extension];
    const wins = chosen
      ? chosen === language.name
      : known === undefined || (index === 0 && known.extensions?.[0] !== extension);
    if (known === undefined || wins) byExtension.set(extension, language);
  }
}
for (const language of languages) byName.set(language.name.toLowerCase(), language);

/** Linguist's name of a file's language when it is a programming language; by name, extension, then `#!` line. */
export function languageOf(path: string, firstLine = ''): string | null {
  return programming(byPath(path) ?? byShebang(firstLine));
}

/** Whether only its first line can tell a file's language. */
export function needsFirstLine(path: string): boolean {
  return !path.slice(path.lastIndexOf('/') + 1).includes('.') && byPath(path) === undefined;
}

/** The language that `.gitattributes` name (`linguist-language=Java`), by name or alias; undefined when there is no such. */
export function languageNamed(name: string): string | null | undefined {
  const language = byName.get(name.toLowerCase()) ?? byName.get(name.toLowerCase().replaceAll('-', ' '));
  return language === undefined ? undefined : programming(language);
}

/** Whether files of this language may be called so. */
export function isWrittenIn(path: string, language: string): boolean {
  const filename = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const { extensions = [], filenames = [] } = byName.get(language.toLowerCase()) ?? {};
  return (
    !filename.includes('.') ||
    filenames.includes(filename) ||
    extensions.some((ending) => filename.endsWith(ending.toLowerCase()))
  );
}

function programming(language: Language | undefined): string | null {
  return language?.type === 'programming' ? language.name : null;
}

/** Markup that has code in it, or is nothing but. */
const holdsScripts = new Set(['HTML', 'Vue', 'Svelte', 'Jupyter Notebook']);

/** Gradle's are code by whoever builds, and no language's own; catalogs of translations are texts for people, thousands of them. */
const holdsNoCode = new Set(['Gradle', 'Gettext Catalog']);

/** Whether a file's name says that it is data or prose, markup with scripts, or nothing: what it holds may be code all the same. */
export function mayHoldCode(path: string): boolean {
  const language = byPath(path);
  if (language === undefined) return true;
  if (holdsScripts.has(language.name)) return true;
  return (language.type === 'data' || language.type === 'prose') && !holdsNoCode.has(language.name);
}

/** Whether a file's name says that it is prose: code in it is told, and shown. */
export const isProse = (path: string): boolean => byPath(path)?.type === 'prose';

function byPath(path: string): Language | undefined {
  const filename = path.slice(path.lastIndexOf('/') + 1);
  const named = byFilename.get(filename);
  if (named) return named;
  // The longest known ending wins: `.d.ts` style endings before `.ts`.
  for (let dot = filename.indexOf('.'); dot !== -1; dot = filename.indexOf('.', dot + 1)) {
    const extension = filename.slice(dot);
    const language = byExtension.get(extension) ?? byExtension.get(extension.toLowerCase());
    if (language) return language;
  }
  return undefined;
}

function byShebang(line: string): Language | undefined {
  const words = /^#!\s*(.+)/.exec(line)?.[1]?.trim().split(/\s+/) ?? [];
  let program = words[0]?.split('/').at(-1);
  if (program === 'env') program = words.slice(1).find((word) => !word.startsWith('-') && !word.includes('='));
  program = program?.split('/').at(-1)?.slice(0, 100);
  // Bounded: a name of at most 100 characters.
  for (; program; program = program.replace(/\.?\d+$/, '')) {
    const language = byInterpreter.get(program);
    if (language || !/\d$/.test(program)) return language;
  }
  return undefined;
}

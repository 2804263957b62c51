import { c } from './c.ts';
import { cpp } from './cpp.ts';
import { csharp } from './csharp.ts';
import { dart } from './dart.ts';
import { elixir } from './elixir.ts';
import { go } from './go.ts';
import { java } from './java.ts';
import { javascript } from './javascript.ts';
import { kotlin } from './kotlin.ts';
import type { Language } from './language.ts';
import { lua } from './lua.ts';
import { php } from './php.ts';
import { scala } from './scala.ts';
import { shell } from './shell.ts';
import { swift } from './swift.ts';
import { tsx, typescript } from './typescript.ts';
import { python } from './python.ts';
import { ruby } from './ruby.ts';
import { rust } from './rust.ts';

/** All languages that are read, in the order in which an extension is looked for. */
export const languages: readonly Language[] = [
  typescript,
  tsx,
  javascript,
  go,
  python,
  java,
  rust,
  csharp,
  php,
  ruby,
  kotlin,
  c,
  cpp,
  scala,
  lua,
  elixir,
  dart,
  swift,
  shell,
];

const byExtension = new Map(languages.flatMap((language) => language.extensions.map((e) => [e, language] as const)));
const byFilename = new Map(
  languages.flatMap((language) => (language.filenames ?? []).map((f) => [f, language] as const)),
);
const byLinguist = new Map(languages.map((language) => [language.linguist, language]));
const byId = new Map(languages.map((language) => [language.id, language]));

/** The language of a file by its name, or null when it is none that is read. */
export function languageOf(path: string): Language | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return byFilename.get(name) ?? (dot < 0 ? null : (byExtension.get(name.slice(dot).toLowerCase()) ?? null));
}

/** The language with this id, as facts name it. */
export function languageById(id: string): Language | null {
  return byId.get(id) ?? null;
}

/** The language by linguist's name; null for one that is not read. */
export function languageByLinguist(name: string | null): Language | null {
  return name === null ? null : (byLinguist.get(name) ?? null);
}

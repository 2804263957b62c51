import { LineCounter } from 'yaml';
import { readYaml } from '../../read-yaml.ts';

type Read = ReturnType<typeof readYaml> & { lines: LineCounter };

/** Texts of so many characters together are remembered with what they say. */
const maxCharacters = 300_000;
const known = new Map<string, Read>();
let characters = 0;

/**
 * A CI file's YAML with its lines, for readers alone: several metrics ask, and most files are the same at each commit of a history. Throws
 * what is wrong with it.
 */
export function readCiYaml(text: string): Read {
  const before = known.get(text);
  if (before) return before;
  const lines = new LineCounter();
  const read = { ...readYaml(text, lines), lines };
  characters += text.length;
  if (characters > maxCharacters) {
    known.clear();
    characters = text.length;
  }
  if (text.length <= maxCharacters) known.set(text, read);
  return read;
}

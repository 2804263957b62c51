// Parses the files of a folder and does nothing else: the limit that bench/load.ts measures against. Arguments: DIR.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Language as Grammar, Parser } from 'web-tree-sitter';
import { languageOf } from '../loaders/languages/index.ts';

const [folder = '.'] = process.argv.slice(2);
await Parser.init();
const grammars = new Map<string, Grammar>();
const parser = new Parser();
let files = 0;
let bytes = 0;
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  const path = join(entry.parentPath, entry.name);
  const language = entry.isFile() ? languageOf(path) : null;
  if (!language) continue;
  let grammar = grammars.get(language.id);
  if (!grammar) {
    grammar = await Grammar.load(fileURLToPath(import.meta.resolve(language.grammar)));
    grammars.set(language.id, grammar);
  }
  const content = readFileSync(path);
  parser.setLanguage(grammar).parse(content.toString())?.delete();
  files++;
  bytes += content.length;
}
const { user, system } = process.cpuUsage();
console.log(JSON.stringify({ files, bytes, cpuSeconds: (user + system) / 1e6 }));

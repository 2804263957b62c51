import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createExtractor } from '../../loaders/extraction/extract.ts';
import { languageOf } from '../../loaders/languages/index.ts';
import { languageOf as linguistOf } from '../../loaders/snapshot/language-of.ts';
import { effort } from '../support/effort.ts';
import { temporaryFolder } from '../support/git-repository.ts';
import { fetchOrSkip } from '../support/packages.ts';
import type { Registry } from '../support/packages.ts';
import { onPython, python } from './python.ts';

/** A package of each language that both can read. */
const packages: readonly { language: string; registry: Registry; name: string; least: number }[] = [
  { language: 'JavaScript', registry: 'npm', name: 'express@5.1.0', least: 50 },
  { language: 'TypeScript', registry: 'npm', name: 'rxjs@7.8.2', least: 400 },
  { language: 'Python', registry: 'pypi', name: 'flask==3.1.3', least: 300 },
  { language: 'Go', registry: 'go', name: 'github.com/go-chi/chi/v5@v5.5.0', least: 300 },
  { language: 'Java', registry: 'maven', name: 'com.google.code.gson:gson:2.11.0:jar:sources', least: 300 },
  { language: 'Rust', registry: 'cargo', name: 'regex-syntax@0.8.5', least: 300 },
  { language: 'Kotlin', registry: 'maven', name: 'com.squareup.okio:okio-jvm:3.9.0:jar:sources', least: 300 },
];

describe('cyclomatic complexity', () => {
  onPython('lizard', () => {
    for (const { language, registry, name, least } of effort({ gate: packages.slice(2, 4), long: packages })) {
      it(`is what lizard says for at least 95 % of the functions of ${name} (${language})`, async function () {
        const folder = temporaryFolder();
        try {
          const root = fetchOrSkip(this, registry, name, folder);
          const ours = await complexities(root, language);
          const paths = [...new Set([...ours.keys()].map((key) => key.slice(0, key.lastIndexOf(':'))))];
          const { status, output } = await python(['test/suites/functions.py'], { input: `${paths.join('\n')}\n` });
          expect(status, output.slice(-500)).to.equal(0);
          const both = output
            .split('\n')
            .filter((line) => line.startsWith('['))
            .map((line) => JSON.parse(line) as [string, number, number])
            .flatMap(([path, line, theirs]) => {
              const own = ours.get(`${path}:${line}`);
              return own === undefined ? [] : [{ own, theirs }];
            });
          expect(both.length).to.be.at.least(least);
          expect(both.filter(({ own, theirs }) => own === theirs).length / both.length).to.be.at.least(0.95);
        } finally {
          rmSync(folder, { recursive: true, force: true });
        }
      });
    }
  });
});

/** Of every function of a language, by path and line. */
async function complexities(root: string, language: string): Promise<Map<string, number>> {
  const extractor = await createExtractor();
  const found = new Map<string, number>();
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const known = entry.isFile() ? languageOf(path) : null;
    const linguist = linguistOf(path, undefined);
    if (!known || linguist !== language || path.endsWith('.d.ts')) continue;
    const { measures } = extractor.read(known, readFileSync(path), path, linguist);
    for (const { line, complexity } of measures.functions ?? []) found.set(`${path}:${line}`, complexity);
  }
  extractor.close();
  return found;
}

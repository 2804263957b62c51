import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';

const root = join(import.meta.dirname, '../../..');

/** A language that is not read, by the grammar of one that is: Starlark looks like Python. */
const dummy = `
import type { Language } from './language.ts';
import { packageModules } from './reading/packages.ts';
import { usualSemantics } from './reading/semantics.ts';

export const dummy: Language = {
  id: 'dummy',
  linguist: 'Starlark',
  extensions: ['.bzl'],
  grammar: 'tree-sitter-python/tree-sitter-python.wasm',
  family: 'dummy',
  ecosystem: 'cargo',
  comments: { line: ['#'], block: [], quotes: [['"', '"']] },
  branches: { functions: ['function_definition'], branches: ['if_statement'], operators: [] },
  tests: [/_check\\.bzl$/],
  importsByWord: true,
  extractor: async () => (await import('./dummy/extract.ts')).extract,
  modules: packageModules(['.bzl']),
  semantics: { ...usualSemantics, packageScope: 'none' },
};
`;

const extractor = `
import { SourceFile, unknown } from '../reading/source-file.ts';
import type { Extract } from '../language.ts';

export const extract: Extract = (root, source, path) => {
  const file = new SourceFile('dummy', root, source, path, {
    function_definition(file, node, place) {
      const nameNode = node.childForFieldName('name');
      const name = file.text(nameNode);
      const definition = file.define({ kind: 'function', name }, node, place, nameNode);
      file.bind(place, name, node, { definition });
      file.read(node.childForFieldName('body'), file.enter(definition, place));
      return unknown;
    },
    call: (file, node, place) =>
      file.call(place, node, file.read(node.childForFieldName('function'), place), []),
    identifier: (file, node, place) => ({ kind: 'name', name: file.text(node), scope: place.scope }),
  });
  file.readAll(root, file.top);
  return file.facts;
};
`;

/** Reads, measures and resolves a file by what the copy knows; prints what it found. */
const probe = `
import { createExtractor } from './loaders/extraction/extract.ts';
import { languageOf } from './loaders/languages/index.ts';
import { ecosystemOf } from './loaders/manifests/count-imports.ts';
import { resolve } from './loaders/resolution/resolve.ts';
import { languageOf as linguistOf } from './loaders/snapshot/language-of.ts';
import { tests } from './loaders/snapshot/linguist/tests.ts';

const source = 'def build():\\n    if 1:\\n        """text"""\\n        # why\\n        check()\\n\\ndef check():\\n    pass\\n';
const path = 'a/rules.bzl';
const language = languageOf(path);
const extractor = await createExtractor({ languages: [language.id] });
const { facts, measures } = extractor.read(language, new TextEncoder().encode(source), path, linguistOf(path));
const resolved = resolve([{ path, facts }], { paths: [path], read: () => null });
console.log(JSON.stringify({
  language: language.id,
  definitions: facts.definitions.map(({ name }) => name),
  edges: [...resolved.edges].map(({ type, from, to }) => [type, ...[from, to].map(({ definition }) => facts.definitions[definition]?.name)]),
  lines: [measures.code, measures.comment, measures.blank],
  functions: measures.functions.map(({ name, complexity }) => [name, complexity]),
  isTest: tests.some((each) => each.test('a/rules_check.bzl')),
  ecosystem: ecosystemOf(language.id),
}));
`;

describe('one more language', () => {
  it('is its own files and its line in the index: extraction, resolution, measures and detection take it from there', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'one-language-'));
    try {
      for (const part of ['loaders', 'src', 'package.json']) {
        await cp(join(root, part), join(folder, part), { recursive: true });
      }
      await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
      const languages = join(folder, 'loaders/languages');
      await writeFile(join(folder, 'probe.ts'), probe);
      const before = await run(folder);
      expect(before, 'nobody reads it before it is there').to.include('Cannot read properties of null');

      await cp(join(languages, 'shell'), join(languages, 'dummy'), { recursive: true });
      await writeFile(join(languages, 'dummy/extract.ts'), extractor);
      await writeFile(join(languages, 'dummy.ts'), dummy);
      const index = await readFile(join(languages, 'index.ts'), 'utf8');
      await writeFile(
        join(languages, 'index.ts'),
        `import { dummy } from './dummy.ts';\n${index.replace('  shell,\n];', '  shell,\n  dummy,\n];')}`,
      );
      expect(JSON.parse(await run(folder))).to.deep.equal({
        language: 'dummy',
        definitions: ['build', 'check'],
        edges: [['CALLS', 'build', 'check']],
        // A docstring is code to it: it says nothing of docstrings, as what linguist's Starlark has does.
        lines: [6, 1, 1],
        functions: [
          ['build', 2],
          ['check', 1],
        ],
        isTest: true,
        ecosystem: 'cargo',
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

async function run(folder: string): Promise<string> {
  const outcome: unknown = await promisify(execFile)(process.execPath, ['probe.ts'], { cwd: folder }).catch(
    (error: unknown) => error,
  );
  const { stdout, stderr } = outcome as { stdout: string; stderr: string };
  return stdout || stderr;
}

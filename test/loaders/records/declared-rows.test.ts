import { rmSync } from 'node:fs';
import { expect } from 'chai';
import { analyze } from '../../../loaders/analyze.ts';
import { maxPlaces, type DeclaredRow } from '../../../src/model/declared-name.ts';
import { temporaryFolder, writeFiles } from '../../support/git-repository.ts';

describe('the declared names of a repository', () => {
  const folder = temporaryFolder();
  let rows: DeclaredRow[];
  before(async () => {
    const many = Array.from({ length: maxPlaces + 8 }, (_, i) => [
      `src/m${String(i).padStart(2, '0')}.ts`,
      'export const name = 1;\n',
    ]);
    writeFiles(folder, {
      ...Object.fromEntries(many),
      'src/a.ts': 'class A {\n  name = 1;\n  size = 2;\n}\nclass B { name = 2 }\n',
      'src/a.py': 'name = 1\n',
      'test/a.test.ts': 'let size = 1;\nconst name = 2;\n',
    });
    const { snapshot } = await analyze(folder, { name: 'kit' });
    rows = [...snapshot.declared!];
  });
  after(() => rmSync(folder, { recursive: true }));

  const row = (kind: string, name: string, language: string, test: boolean) =>
    rows.find((each) => each.kind === kind && each.name === name && each.language === language && each.test === test);

  it('are one for each name of a kind and language, apart in tests', () => {
    expect(rows.map(({ kind, name, language, test }) => `${kind} ${name} ${language} ${test}`)).to.have.members([
      'variable name python false',
      'field name typescript false',
      'field size typescript false',
      'constant name typescript false',
      'variable size typescript true',
      'constant name typescript true',
    ]);
  });

  it('say where they are declared, and in what', () => {
    expect(row('field', 'name', 'typescript', false)).to.deep.include({
      count: 2,
      places: [
        { path: 'src/a.ts', line: 2, in: 'A' },
        { path: 'src/a.ts', line: 5, in: 'B' },
      ],
    });
    expect(row('constant', 'name', 'typescript', true)?.places).to.deep.equal([{ path: 'test/a.test.ts', line: 2 }]);
  });

  it('count all places and keep the first', () => {
    const { count, places } = row('constant', 'name', 'typescript', false)!;
    expect(count).to.equal(maxPlaces + 8);
    expect(places.map(({ path }) => path)).to.deep.equal(
      Array.from({ length: maxPlaces }, (_, i) => `src/m${String(i).padStart(2, '0')}.ts`),
    );
  });
});

import { expect } from 'chai';
import { analyze } from '../../loaders/analyze.ts';
import { removeRepository, writeSnapshot } from '../../loaders/write.ts';
import { dedent } from '../support/dedent.ts';
import { gitRepository, type GitRepository } from '../support/git-repository.ts';
import { describeService } from '../support/service.ts';
import { shareWithAll } from '../support/share-with-all.ts';

interface Reference {
  node: { id: string };
  type: string;
  path: string;
  line: number;
  text: string | null;
  test: boolean | null;
  weight: number;
}

const files = {
  'src/parse.ts': dedent`
    /** Reads it. */
    export function parse(text: string): number {
      return trim(text).length;
    }
    function trim(text: string): string {
      return text.trim();
    }
  `,
  'src/main.ts': dedent`
    import { parse } from './parse.ts';
    export class Main {
      run(): number {
        return parse('a') + parse('b');
      }
    }
  `,
  'src/a.test.ts': dedent`
    import { parse } from './parse.ts';
    export function checkParse(): number {
      return parse('c');
    }
  `,
};

describeService('GET /api/graph/references/{id} and /api/graph/occurrences/{repository}', (service) => {
  const [kept, bare] = ['refs', 'refs-bare'];
  let repository: GitRepository;
  before(async () => {
    repository = gitRepository({ files });
    for (const name of [kept, bare]) {
      const { snapshot, close } = await analyze(repository.path, { name, keepSource: name === kept });
      await shareWithAll(service().stores, [name]);
      await writeSnapshot(service().stores, snapshot);
      close();
    }
  });
  after(async () => {
    repository.remove();
    for (const name of [kept, bare]) await removeRepository(service().stores, name);
  });
  const references = async (id: string, query = '') => {
    const { json, status, text } = await service().get(`/api/graph/references/${encodeURIComponent(id)}${query}`);
    expect(status, text).equals(200);
    return { ...json, references: json['references'] as Reference[] };
  };

  it('has who calls it with the line that says so, tests last, whatever their paths', async () => {
    const found = await references(`${kept}/src/parse.ts#parse`, '?edge_types=CALLS');
    expect(
      found.references.map(({ node, line, text, test, weight }) => [node.id, line, text, test, weight]),
    ).deep.equals([
      [`${kept}/src/main.ts#Main.run`, 4, "return parse('a') + parse('b');", false, 2],
      [`${kept}/src/a.test.ts#checkParse`, 3, "return parse('c');", true, 1],
    ]);
    expect(found).deep.includes({ total_references: 2, truncated: false });
    expect(found).nested.includes({ 'node.signature': 'function parse(text: string): number', 'node.end_line': 4 });
    const second = await references(`${kept}/src/parse.ts#parse`, '?edge_types=CALLS&page=2&page_size=1');
    expect(second.references.map(({ node }) => node.id)).deep.equals([`${kept}/src/a.test.ts#checkParse`]);
  });

  it('has what it calls, and without the source the places alone', async () => {
    const [called] = (await references(`${kept}/src/parse.ts#parse`, '?direction=out')).references;
    expect(called).deep.includes({ path: 'src/parse.ts', line: 3, text: 'return trim(text).length;', test: false });
    const [unknown] = (await references(`${bare}/src/parse.ts#parse`, '?direction=out')).references;
    expect(unknown).deep.includes({ path: 'src/parse.ts', line: 3, text: null, test: null });
  });

  it('of a file has what it defines, and what each definition refers to', async () => {
    const { json } = await service().get(`/api/graph/occurrences/${kept}?path=src/main.ts`);
    const { definitions, references } = json as {
      definitions: { name: string; line: number; end_line: number }[];
      references: { from: string; to: { id: string }; line: number; weight: number }[];
    };
    expect(definitions.map(({ name, line, end_line }) => [name, line, end_line])).deep.equals([
      ['Main', 2, 6],
      ['run', 3, 5],
    ]);
    expect(references.map(({ from, to, line, weight }) => [from, to.id, line, weight])).deep.include([
      `${kept}/src/main.ts#Main.run`,
      `${kept}/src/parse.ts#parse`,
      4,
      2,
    ]);
    const { json: nothing } = await service().get(`/api/graph/occurrences/${kept}?path=nothing.ts`);
    expect(nothing).deep.includes({ definitions: [], references: [] });
  });

  it('says what is not there, and what is asked wrongly', async () => {
    for (const [path, status] of [
      ['references/nothing', 404],
      ['occurrences/nothing?path=a', 404],
      ['references/ledger?direction=both', 422],
      ['occurrences/ledger', 422],
    ] as const)
      expect((await service().get(`/api/graph/${path}`)).status, path).equals(status);
    expect((await service().send('/api/graph/references/ledger')).status).equals(401);
  });
});

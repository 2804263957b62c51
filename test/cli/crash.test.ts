import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { get, keyIn, repoIntel, startRepoIntel } from '../support/cli.ts';
import { dataFolder } from '../support/data-folder.ts';
import { effort } from '../support/effort.ts';
import { gitRepository } from '../support/git-repository.ts';

/** Files of one generation: every function's name carries it, and calls the next file's. */
function generation(name: string, files: number): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: files }, (_, index) => [
      `src/f${index}.js`,
      `import { ${name}${(index + 1) % files} } from './f${(index + 1) % files}.js';
export function ${name}${index}() { return ${name}${(index + 1) % files}(); }\n`,
    ]),
  );
}

/** Moments of a load, in milliseconds after its start; the machine decides what runs then. */
const moments = effort({ gate: [300, 1100], long: [300, 700, 1100, 1500, 2100, 500, 900, 1300, 1700] });
const files = 150;

/** The same with an insecure pattern of its own. */
const insecure = (name: string): Record<string, string> => ({
  ...generation(name, files),
  [`src/${name}.js`]: `import { exec } from 'node:child_process';
export function ${name}${files}(request) { return exec('ls ' + request.query.${name}); }\n`,
});

describe('kill -9', () => {
  it('in a load leaves the old or the new snapshot in every store, tells of each once, and the next load completes', async () => {
    const data = await dataFolder();
    const repository = gitRepository({ name: 'town', files: insecure('old') });
    try {
      const environment = { DATA_DIR: data };
      const load = ['load', repository.path, '--organization', 'acme'];
      expect((await repoIntel(load, environment)).code).to.equal(0);
      const made = await repoIntel(['keys', 'create', '--organization', 'acme', '--role', 'owner'], environment);
      const key = keyIn(made.stdout);
      const seen = new Set<string>();
      const told = ['loaded'];
      let current = 'old';
      for (const [round, moment] of moments.entries()) {
        const next = `new${String.fromCharCode(97 + round)}`;
        repository.commit(next, { files: { ...insecure(next), [`src/${current}.js`]: null } });
        const outcome = await startKillable(load, environment, moment);
        expect(outcome).to.be.oneOf(['killed', 'ended']);

        // The service completes what was left; then all that it says is of one generation.
        const service = await startRepoIntel(['serve'], environment);
        const names = await functionNames(service.address, key);
        const edges = await repoIntel(['export', '--type', 'CALLS'], environment);
        await service.stop();
        const callers = edges.stdout
          .trim()
          .split('\n')
          .map((line) => (JSON.parse(line) as { from: string }).from);
        const generations = new Set([...names, ...callers.map((id) => id.split('#')[1] ?? '')].map(withoutNumber));
        expect([...generations], `killed after ${moment} ms`).to.have.length(1);
        expect([...generations][0]).to.be.oneOf([current, next]);
        expect(callers).to.have.length(files);
        seen.add([...generations][0] === next ? 'new' : 'old');

        expect((await repoIntel(load, environment)).code).to.equal(0);
        told.push(
          'loaded',
          `appeared src/${next}.js`,
          `gone src/${current}.js`,
          `changed ${current} ${files} ${next} ${files}`,
        );
        current = next;
      }
      const service = await startRepoIntel(['serve'], environment);
      const types = 'repository.loaded,findings.appeared,findings.gone,edges.changed';
      const { body } = await get<{ items: ToldEvent[] }>(service.address, `/v1/events?limit=1000&type=${types}`, key);
      await service.stop();
      const what = ({ type, data: { findings = [], gone, appeared } }: ToldEvent) =>
        [
          type.split('.')[1],
          ...findings.map(({ path }) => path),
          ...[gone, appeared].flatMap((list) => (list ? [callersIn(list), list.by_type['CALLS']] : [])),
        ].join(' ');
      expect(body.items.map(what)).to.deep.equal(told);
      expect(seen.has('old'), 'no kill was early enough to mean anything').to.equal(true);
    } finally {
      repository.remove();
      rmSync(data, { recursive: true, force: true });
    }
  });
});

interface ToldEdges {
  by_type: Record<string, number>;
  edges: { type: string; from: string }[];
}

interface ToldEvent {
  type: string;
  data: { findings?: { path: string }[]; gone?: ToldEdges; appeared?: ToldEdges };
}

/** Of which generation they are, in the name that the owner has for the repository. */
const callersIn = ({ edges }: ToldEdges) => {
  const callers = edges.filter(({ type }) => type === 'CALLS').map(({ from }) => from);
  expect(callers).to.have.length(10);
  return [...new Set(callers.map((id) => withoutNumber(id.replace(/^town\/.*#/, ''))))].join();
};

const withoutNumber = (name: string) => name.replace(/\d+$/, '');

async function functionNames(address: string, key: string): Promise<string[]> {
  const names: string[] = [];
  for (let page = 1; ; page++) {
    const { body } = await get<{ items: { name: string }[]; total_pages: number }>(
      address,
      `/api/search?type=Function&page_size=100&page=${page}`,
      key,
    );
    names.push(...body.items.map(({ name }) => name));
    if (page >= body.total_pages) return names;
  }
}

async function startKillable(args: string[], environment: Record<string, string>, afterMs: number) {
  const controller = new AbortController();
  const ended = repoIntel(args, environment, controller.signal).then(({ code }) =>
    code === null ? 'killed' : 'ended',
  );
  await Promise.race([ended, sleep(afterMs)]);
  controller.abort();
  return ended;
}

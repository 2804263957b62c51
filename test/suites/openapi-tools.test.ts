import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { needsCommand } from '../support/required.ts';
import { onPython, python } from './python.ts';

const document = fileURLToPath(new URL('../golden/openapi.json', import.meta.url));

describe('the contract, as others read it', () => {
  let folder: string;
  before(async () => (folder = await mkdtemp(join(tmpdir(), 'openapi-tools-'))));
  after(() => rm(folder, { recursive: true }));

  const run = (test: Mocha.Context, command: string, args: readonly string[]) => {
    needsCommand(test, command, 'one of the tools of test/suites/README.md');
    const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, encoding: 'utf8' });
    return { status, stdout, output: stdout + stderr };
  };

  it('Redocly finds nothing to say of it', async function () {
    this.timeout(120_000);
    await writeFile(join(folder, 'redocly.yaml'), 'extends: [recommended]\n');
    const said = run(this, 'redocly', ['lint', '--format=json', '--config=redocly.yaml', document]);
    const { totals, problems } = JSON.parse(said.stdout) as { totals: object; problems: { message: string }[] };
    expect(problems.map(({ message }) => message)).deep.equals([]);
    expect(totals).deep.includes({ errors: 0, warnings: 0 });
  });

  it('Spectral finds nothing by its rules for OpenAPI', async function () {
    this.timeout(120_000);
    await writeFile(join(folder, 'rules.yaml'), 'extends: ["spectral:oas"]\n');
    const said = run(this, 'spectral', ['lint', '--fail-severity=hint', '--ruleset=rules.yaml', document]);
    expect([said.status, said.output.trim()]).deep.equals([0, "No results with a severity of 'hint' or higher found!"]);
  });

  it('openapi-typescript makes types of it, with every operation', async function () {
    this.timeout(120_000);
    const said = run(this, 'openapi-typescript', [document, '--output', 'types.ts']);
    expect(said.status, said.output).equals(0);
    const types = await readFile(join(folder, 'types.ts'), 'utf8');
    for (const id of await operationIds()) expect(types).match(new RegExp(`^    ${id}: \\{$`, 'm'));
  });

  onPython('openapi_python_client', () => {
    it('openapi-python-client makes a client of it, with every operation that answers what it can read', async function () {
      this.timeout(300_000);
      const client = join(folder, 'client');
      const { status, output } = await python(
        ['-m', 'openapi_python_client', 'generate', '--meta=none', `--path=${document}`, `--output-path=${client}`],
        {},
      );
      expect(status, output).equals(0);
      // A picture is nothing that it reads.
      expect(output.match(/WARNING parsing .*/g) ?? []).deep.equals([
        'WARNING parsing GET /api/dd/executive/{repo}/badge.svg within dd_executive.',
      ]);
      const made = (await readdir(join(client, 'api'), { recursive: true })).map((path) => path.split('/').at(-1));
      for (const id of await operationIds()) expect(made).includes(`${id}.py`);
    });
  });
});

async function operationIds(): Promise<string[]> {
  const { paths } = JSON.parse(await readFile(document, 'utf8')) as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  return Object.values(paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
}

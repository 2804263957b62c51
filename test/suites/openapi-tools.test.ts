import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { changelogEntries } from '../../src/control-plane/changelog-entries.ts';
import { openapiPart } from '../../src/http/openapi-part.ts';
import { needsCommand } from '../support/required.ts';
import { onPython, python } from './python.ts';

const golden = (name: string) => fileURLToPath(new URL(`../golden/${name}`, import.meta.url));
const document = golden('openapi.json');
/** Of the last release; whoever releases puts `openapi.json` in its place. */
const released = golden('openapi-released.json');

interface Contract extends Record<string, unknown> {
  info: { 'x-api-version'?: string };
  tags: { name: string }[];
  paths: Record<string, Record<string, { operationId: string }>>;
  components: { schemas: object };
}

const readContract = async (path: string) => JSON.parse(await readFile(path, 'utf8')) as Contract;

interface Difference {
  id: string;
  operation: string;
  path: string;
  text: string;
}

/** What oasdiff calls breaking, and breaks nobody. */
const harmless: { why: string; is: (difference: Difference) => boolean }[] = [
  {
    why: 'Alternatives that have a name now are among those that were there without one.',
    is: ({ id, text }) => /any-of-(added|removed)$/.test(id) && /components.schemas|subschema/.test(text),
  },
  { why: 'Names of members that are listed now.', is: ({ id }) => id === 'response-property-property-names-removed' },
  {
    why: 'How extensions of an event are named, of which there could be none before.',
    is: ({ id, operation, path, text }) =>
      operation === 'POST' &&
      path === '/v1/usage/events' &&
      id.startsWith('request-') &&
      text.startsWith("added 'propertyNames' constraint"),
  },
  {
    why: 'Redirects, which are still there: the contract no longer lists them.',
    is: ({ id, path }) => id === 'api-path-removed-without-deprecation' && /^\/(docs|explorer)\/$/.test(path),
  },
];

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

  const breaking = (test: Mocha.Context, from: string, to: string) => {
    const { status, stdout, output } = run(test, 'oasdiff', ['breaking', from, to, '--format=json']);
    expect(status, output).equals(0);
    const found = JSON.parse(stdout || '[]') as Difference[];
    return found.filter((difference) => !harmless.some(({ is }) => is(difference)));
  };

  it('oasdiff finds nothing that breaks callers of the last release but what was announced', async function () {
    this.timeout(120_000);
    const found = breaking(this, released, document);
    const lines = found.map(({ operation, path, text }) => `${operation} ${path}: ${text}\n`);
    const list = golden('openapi-breaking.txt');
    // oxlint-disable-next-line node/no-process-env -- the one flag that updates golden files
    if (process.env['UPDATE_GOLDEN']) await writeFile(list, lines.join(''));
    expect(lines.join(''), 'a change that breaks callers').equals(await readFile(list, 'utf8'));

    if (found.length === 0) return;
    // The first release did not say it in its contract.
    const { 'x-api-version': before = '2026-11-21' } = (await readContract(released)).info;
    const { 'x-api-version': version = '' } = (await readContract(document)).info;
    expect(Date.parse(version), 'the version of the API').greaterThan(Date.parse(before));
    const announced = changelogEntries.filter(
      ({ breaking, effective_at }) => breaking && effective_at.slice(0, 10) === version,
    );
    const said = announced.map(({ body }) => body).join('\n');
    const unsaid = found.filter(({ operation, path }) => !said.includes(`\`${operation} ${path}\``));
    expect(unsaid, `in no breaking entry of the changelog that takes effect on ${version}`).deep.equals([]);
  });

  it('names of extensions were none before, and the pattern of them takes all that events had', async () => {
    const [was, is] = [await eventsOf(released), await eventsOf(document)];
    expect(was.length).greaterThan(0);
    const [pattern = '', ...others] = new Set(is.map(({ propertyNames }) => propertyNames?.pattern));
    expect([pattern.length > 0, others]).deep.equals([true, []]);
    for (const { additionalProperties, properties } of was) {
      // Where a release takes extensions, a narrower pattern breaks who sends them, and oasdiff has to be heard.
      expect(additionalProperties).equals(false);
      expect(Object.keys(properties)).lengthOf(8);
      for (const name of Object.keys(properties)) expect(name).match(new RegExp(pattern));
    }
  });

  it('oasdiff finds a member that is gone, a parameter that has become required, and an operation that is not there', async function () {
    this.timeout(120_000);
    const { paths, components, ...contract } = JSON.parse(await readFile(document, 'utf8')) as {
      paths: Record<string, { get: { parameters: { required: boolean }[] } }>;
      components: { schemas: Record<string, { required: string[]; properties: Record<string, object> }> };
    };
    const { Suggestion } = components.schemas;
    if (Suggestion) {
      Suggestion.required = Suggestion.required.filter((name) => name !== 'completion');
      delete Suggestion.properties['completion'];
    }
    for (const parameter of paths['/api/graph/map']?.get.parameters ?? []) parameter.required = true;
    const { '/api/graph/path': _gone, ...kept } = paths;
    const worse = join(folder, 'worse.json');
    await writeFile(worse, JSON.stringify({ ...contract, paths: kept, components }));
    expect(breaking(this, document, worse).map(({ operation, path }) => `${operation} ${path}`)).members([
      'GET /api/search/suggest',
      'GET /api/graph/map',
      'GET /api/graph/path',
    ]);
  });

  onPython('openapi_python_client', () => {
    const clientOf = async (contract: string, name: string) => {
      const client = join(folder, name);
      const { status, output } = await python(
        ['-m', 'openapi_python_client', 'generate', '--meta=none', `--path=${contract}`, `--output-path=${client}`],
        {},
      );
      expect(status, output).equals(0);
      const made = (await readdir(join(client, 'api'), { recursive: true })).map((path) => path.split('/').at(-1));
      const models = (await readdir(join(client, 'models'))).filter((path) => path !== '__init__.py');
      return { unread: output.match(/WARNING parsing .*/g) ?? [], made, models };
    };

    it('openapi-python-client makes a client of it, with every operation that answers what it can read', async function () {
      this.timeout(300_000);
      const { unread, made } = await clientOf(document, 'client');
      // A picture, a feed and protobuf are nothing that it reads.
      expect(unread).members([
        'WARNING parsing GET /v1/changelog.atom within changelog.',
        'WARNING parsing GET /api/dd/executive/{repo}/badge.svg within dd_executive.',
        'WARNING parsing GET /api/export/scip within code_graph.',
        'WARNING parsing GET /badges/{token}/grade.svg within service.',
      ]);
      for (const id of await operationIds()) expect(made).includes(`${id}.py`);
    });

    it('and of each part of it one of fewer than 150 models', async function () {
      this.timeout(300_000);
      const contract = await readContract(document);
      const parts = contract.tags.map(({ name }) => ({ name, part: openapiPart(contract, name) as Contract }));
      const size = ({ part }: (typeof parts)[number]) => Object.keys(part.components.schemas).length;
      const [largest, second, third] = parts.toSorted((a, b) => size(b) - size(a));
      if (!largest || !second || !third) throw new Error('There are parts.');
      // Each schema is a model at least, and hardly more than one and a half: who has fewer than the third has fewer models.
      expect(size(third)).lessThan(90);
      for (const { name, part } of [largest, second]) {
        const path = join(folder, `${name}.json`);
        await writeFile(path, JSON.stringify(part));
        const { models } = await clientOf(path, name);
        expect(models.length, name).within(50, 149);
      }
    });
  });
});

async function operationIds(): Promise<string[]> {
  const { paths } = await readContract(document);
  return Object.values(paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
}

interface EventSchema {
  properties: Record<string, unknown>;
  additionalProperties: unknown;
  propertyNames?: { pattern: string };
}

/** The schemas of one event that `POST /v1/usage/events` takes as JSON, alone or among others, wherever they stand. */
async function eventsOf(path: string): Promise<EventSchema[]> {
  const contract = (await readContract(path)) as unknown as {
    paths: Record<string, { post: { requestBody: object } }>;
    components: { schemas: Record<string, object> };
  };
  const found = new Map<string, EventSchema>();
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { $ref } = value as { $ref?: string };
    if ($ref !== undefined) look(contract.components.schemas[$ref.replace('#/components/schemas/', '')]);
    const { properties = {} } = value as Partial<EventSchema>;
    if ('specversion' in properties) found.set(JSON.stringify(value), value as EventSchema);
    else for (const inner of Object.values(value)) look(inner);
  };
  look(contract.paths['/v1/usage/events']?.post.requestBody);
  return [...found.values()];
}

import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect } from 'chai';
import { get, keyIn, repoIntel, startRepoIntel } from './cli.ts';
import type { Running } from './cli.ts';
import { damages, type Damage } from './damage.ts';
import { dataFolder } from './data-folder.ts';
import { eventually } from './eventually.ts';
import { gitRepository, temporaryFolder } from './git-repository.ts';

const kit = {
  'package.json': '{ "name": "kit", "version": "1.0.0", "main": "index.js" }',
  'index.js': 'export function help() {}\nexport class Client { send() {} }\n',
  ...Object.fromEntries(
    Array.from({ length: 60 }, (_, i) => [`f${i}.js`, `export function helps${i}() {}\nexport class Other${i} {}\n`]),
  ),
};
const shop = {
  'package.json': '{ "name": "shop", "version": "1.0.0", "main": "a.js", "dependencies": { "kit": "^1.0.0" } }',
  'a.js': "import { help, Client } from 'kit';\nexport class Mine extends Client { send() { help(); } }\n",
};

/** What graph and search are asked; the last one goes from one repository into the other. */
const paths = [
  '/api/graph',
  '/api/graph/neighbors/kit',
  '/api/search?q=help&facets=type,repo',
  `/api/graph/impact/${encodeURIComponent('kit/index.js#help')}`,
];

/** A data folder with two repositories, as a service that was killed leaves it, and what it answered before. */
export interface FilledFolder {
  folder: string;
  key: string;
  answers: Map<string, unknown>;
  remove(): void;
}

export async function fillDataFolder(): Promise<FilledFolder> {
  const folder = await dataFolder();
  using one = gitRepository({ name: 'kit', files: kit });
  using other = gitRepository({ name: 'shop', files: shop });
  expect((await repoIntel(['load', one.path, other.path], { DATA_DIR: folder })).code).equals(0);
  const service = await startRepoIntel(['serve'], { DATA_DIR: folder });
  const key = keyIn(service.stdout());
  const answers = new Map<string, unknown>();
  for (const path of paths) {
    const { status, body } = await get(service.address, path, key);
    expect(status, path).equals(200);
    answers.set(path, body);
  }
  await service.kill();
  return { folder, key, answers, remove: () => rmSync(folder, { recursive: true }) };
}

/** Every file of it, apart from those of the embedded PostgreSQL, which are very many; or these. Of the journal's spare files, one. */
export function filesOf({ folder }: FilledFolder, which: 'ours' | 'postgres'): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => path.startsWith('postgres') === (which === 'postgres'))
    .sort();
  const spare = files.find((path) => path.endsWith('.spare'));
  return files.filter((path) => path === spare || !path.endsWith('.spare'));
}

/**
 * Starts the service on a copy in which this file is damaged. It comes up, and graph and search answer as before within a minute, and
 * until then say that they can't; or what can't be had any more is named, with the way out.
 */
export async function survives({ folder, key, answers }: FilledFolder, file: string, damage: Damage): Promise<void> {
  const copy = temporaryFolder();
  let service: Running | undefined;
  try {
    cpSync(folder, copy, { recursive: true });
    damages[damage](join(copy, file));
    const environment = { DATA_DIR: copy };
    service = await startRepoIntel(['serve'], environment).catch((error: Error) => {
      namesTheWayOut(error.message, copy, file);
      return undefined;
    });
    // What of the relational data is lost is not for these to say.
    if (!service || file.startsWith('postgres')) return;
    const { address, stderr } = service;
    const known = (await get(address, '/', key)).status;
    if (known !== 200) {
      expect([known, file]).deep.equals([401, 'pepper']);
      namesTheWayOut(stderr(), copy, file);
      return;
    }
    for (const [path, answer] of answers) await answersAsBefore(address, key, path, answer);
    // Before it stops: nothing else went wrong on the way.
    expect(stderr()).not.match(/unhandled|uncaught|"level":(50|60)/i);
    const { code } = await service.stop();
    expect(code).equals(0);
  } finally {
    await service?.kill();
    rmSync(copy, { recursive: true, force: true });
  }
}

function namesTheWayOut(words: string, folder: string, file: string): void {
  const [top = ''] = file.split('/');
  expect(words.includes(join(folder, top)) || words.includes(`file ${top}`), `names ${top}: ${words}`).equals(true);
  expect(words).match(/put (.* )?back|remove|delete|choose|restore/i);
}

/** Until it does, within a minute, it says that it can't now; and never anything else. */
export async function answersAsBefore(address: string, key: string, path: string, answer: unknown): Promise<void> {
  let wrong: unknown;
  await eventually(async () => {
    const { status, body } = await get<Record<string, unknown>>(address, path, key);
    if (status === 503) expect(body['code'], path).equals('dependency_unavailable');
    else wrong ??= different(status, body, answer);
    expect(wrong ?? status).equals(wrong === undefined ? 200 : wrong);
  });
  expect(wrong, path).equals(undefined);
}

function different(status: number, body: unknown, answer: unknown): unknown {
  return status === 200 && JSON.stringify(body) === JSON.stringify(answer) ? undefined : { status, body };
}

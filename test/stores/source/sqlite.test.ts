import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteSource } from '../../../src/stores/source/sqlite.ts';
import { sourceStoreContract } from '../../contract/source-store.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'source-'));
});
after(() => rm(folder, { recursive: true }));

let opened = 0;
sourceStoreContract('sqlite', (more) => openSqliteSource({ file: join(folder, `${++opened}.db`), ...more }));

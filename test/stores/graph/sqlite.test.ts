import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteGraph } from '../../../src/stores/graph/sqlite.ts';
import { graphStoreContract } from '../../contract/graph-store.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'graph-'));
});
after(() => rm(folder, { recursive: true }));

let opened = 0;
graphStoreContract('sqlite', () => openSqliteGraph({ file: join(folder, `${++opened}.db`) }));

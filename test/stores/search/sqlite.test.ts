import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteSearch } from '../../../src/stores/search/sqlite.ts';
import { searchStoreContract } from '../../contract/search-store.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'search-'));
});
after(() => rm(folder, { recursive: true }));

let opened = 0;
searchStoreContract('sqlite', () => openSqliteSearch({ file: join(folder, `${++opened}.db`) }));

// Arguments: graph or search, and the file. A program of its own, so that the writer's thread is heard too (record-sqlite.ts).
import { openSqliteGraph } from '../../src/stores/graph/sqlite.ts';
import { openSqliteSearch } from '../../src/stores/search/sqlite.ts';
import { exerciseGraph, exerciseSearch } from './exercise-stores.ts';

const [kind, file = ''] = process.argv.slice(2);
if (kind === 'graph') {
  const store = await openSqliteGraph({ file });
  await exerciseGraph(store);
  await store.close();
} else {
  const store = await openSqliteSearch({ file });
  await exerciseSearch(store);
  await store.close();
}

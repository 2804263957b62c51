import { workerData } from 'node:worker_threads';
import { connectTo } from '../sqlite.ts';
import { answerCalls } from '../writer-thread.ts';
import { searchSchema } from './sqlite-schema.ts';
import { searchIn } from './sqlite-search.ts';

const { file } = workerData as { file: string };
const database = connectTo(file, searchSchema);

answerCalls({ search: searchIn(database), close: () => database.close() });

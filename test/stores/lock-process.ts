import { lockDataFolder } from '../../src/stores/data-folder.ts';

/** Tries to take the folder named; prints `ours` or what it was told, and holds on until it is killed. */
const [folder = ''] = process.argv.slice(2);
const lock = await lockDataFolder(folder, `holder of ${folder}`);
if ('held' in lock) {
  process.stdout.write(`${lock.held.message}\n`);
} else {
  process.stdout.write('ours\n');
  setInterval(() => {}, 60_000);
}

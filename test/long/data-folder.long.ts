import { damageNames, drawn } from '../support/damage.ts';
import { filesOf, fillDataFolder, survives } from '../support/damaged-data-folder.ts';
import type { FilledFolder } from '../support/damaged-data-folder.ts';

const seed = Number(process.env['DAMAGE_SEED'] ?? 16);

describe('a data folder with any damaged file', () => {
  let filled: FilledFolder;
  before(async () => {
    filled = await fillDataFolder();
  });
  after(() => filled.remove());

  for (const damage of damageNames) {
    it(`${damage}: the service comes up and answers as before, or names the file and the way out`, async function () {
      this.timeout(1_800_000);
      for (const file of filesOf(filled, 'ours')) await survives(filled, file, damage).catch(inCase(file));
      for (const file of drawn(filesOf(filled, 'postgres'), 4, seed + damage.length))
        await survives(filled, file, damage).catch(inCase(file));
    });
  }
});

const inCase = (file: string) => (error: unknown) => {
  throw new Error(`${file}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
};

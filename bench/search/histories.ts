import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { draw, type Drawn, type History } from '../../test/ranking/drawn.ts';

/** Draws from each history. `clones` has the bare clones NAME.git, made from GitHub where they are missing; sources go to `folder`. */
export async function drawAll(
  histories: readonly History[],
  { clones, folder }: { clones: string; folder: string },
): Promise<Drawn[]> {
  const drawn: Drawn[] = [];
  for (const history of histories) {
    const { repository } = history;
    const clone = join(clones, `${repository.split('/')[1]}.git`);
    if (!existsSync(clone))
      execFileSync('git', ['clone', '--quiet', '--bare', `https://github.com/${repository}`, clone], {
        stdio: 'inherit',
      });
    drawn.push(await draw(history, clone, mkdtempSync(join(folder, 'source-'))));
  }
  return drawn;
}

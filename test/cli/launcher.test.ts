import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from '../support/git-repository.ts';

const launcher = join(import.meta.dirname, '../../src/cli/repo-intel.js');

/** The machine's own Node, not the one that npm put on the path; null when it is none, or new enough itself. */
function oldNode(): string | null {
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((entry) => !entry.includes('node_modules'));
  try {
    const text = execFileSync('node', ['-p', 'process.execPath + " " + process.versions.node'], {
      encoding: 'utf8',
      env: { PATH: path.join(delimiter) },
    });
    const [executable = '', version = ''] = text.trim().split(' ');
    return Number(version.split('.')[0]) < 24 ? executable : null;
  } catch {
    return null;
  }
}

describe('the launcher on an older Node', () => {
  const node = oldNode();
  before(function () {
    if (node === null) this.skip();
  });

  it('hands over to the Node that npm brought', () => {
    const { status, stdout, stderr } = spawnSync(node ?? '', [launcher, '--version'], { encoding: 'utf8' });
    expect(status, stderr).to.equal(0);
    expect(stdout).to.match(/^\d+\.\d+\.\d+\n$/);
  });

  it('says in one sentence what to do where npm brought none', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'src/cli'), { recursive: true });
    const alone = join(folder, 'src/cli/repo-intel.mjs');
    copyFileSync(launcher, alone);
    const { status, stdout, stderr } = spawnSync(node ?? '', [alone, 'list'], { encoding: 'utf8' });
    rmSync(folder, { recursive: true });
    expect(status).to.equal(1);
    expect(stdout).to.equal('');
    expect(stderr.trim().split('\n')).to.have.length(1);
    expect(stderr).to.include('needs Node 24.15 or newer').and.to.include('install Node 24');
  });
});

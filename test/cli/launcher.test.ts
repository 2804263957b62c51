import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
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
    expect(stderr).to.include('needs Node 24.15 or newer').and.to.include('npm ci');
  });
});

describe('the launcher', () => {
  it('runs the program that was built until a source is another', () => {
    const folder = temporaryFolder();
    const write = (path: string, text: string) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    };
    const alone = join(folder, 'src/cli/repo-intel.js');
    write('package.json', '{ "type": "module" }');
    write('src/cli/main.ts', 'console.log("sources");');
    copyFileSync(launcher, alone);
    const run = () => execFileSync(process.execPath, [alone], { encoding: 'utf8' }).trim();
    expect(run()).to.equal('sources');

    write('dist/program/main.js', 'console.log("built");');
    write('dist/program/sources.json', JSON.stringify({ 'src/cli/main.ts': 'console.log("sources");'.length }));
    expect(run()).to.equal('built');

    const source = join(folder, 'src/cli/main.ts');
    const later = Date.now() / 1000 + 60;
    utimesSync(source, later, later);
    expect(run(), 'newer').to.equal('sources');
    write('src/cli/main.ts', 'console.log("others now");');
    utimesSync(source, 0, 0);
    expect(run(), 'put back from elsewhere').to.equal('others now');
    rmSync(source);
    const { stdout, stderr } = spawnSync(process.execPath, [alone], { encoding: 'utf8' });
    expect(stdout, 'gone').to.equal('');
    expect(stderr).to.include('main.ts');
    rmSync(folder, { recursive: true });
  });
});

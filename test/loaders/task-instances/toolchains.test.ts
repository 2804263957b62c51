import { mkdirSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { findToolchains } from '../../../loaders/task-instances/sandbox/toolchains.ts';
import { temporaryFolder, writeFiles } from '../../support/git-repository.ts';

describe('toolchains of a machine', () => {
  it('are shown one by one, and never a home folder or what else lies beside programs in it', async () => {
    const machine = realpathSync(temporaryFolder());
    const home = join(machine, 'home/ann');
    const program = { executable: '#!/bin/sh\n' };
    try {
      writeFiles(machine, {
        'opt/node-24/bin/node': program,
        'opt/tools/run': program,
        'home/ann/.cargo/bin/cargo': program,
        'home/ann/.cargo/credentials.toml': 'secret',
        'home/ann/.rustup/settings.toml': '',
        'home/ann/.pyenv/version': '3.12.1\n3.11.7\n',
        'home/ann/.pyenv/versions/3.12.1/bin/python': program,
        'home/ann/.pyenv/versions/3.9.0/bin/python': program,
        'home/ann/.pyenv/shims/python': program,
        'home/ann/.local/share/uv/python/cpython-3.13/bin/python3': program,
        'home/ann/.local/share/keyrings/secret': 'secret',
        'home/ann/.local/bin/python3': { symlink: '../share/uv/python/cpython-3.13/bin/python3' },
        'home/ann/.local/bin/node': { symlink: '/etc/../usr/bin/env' },
        'home/ann/go/bin/tool': program,
        'home/ann/go/pkg/mod/private': 'secret',
        // Right in the home folder, where a person may keep anything.
        'home/ann/bin/own': program,
        'home/ann/.nvm/versions/node/v22/bin/node': program,
        'home/ann/venv/one/bin/python': { symlink: join(machine, 'opt/python/bin/python3.14') },
        'opt/python/bin/python3.14': program,
        'home/ann/project/node_modules/.bin/mocha': program,
      });
      mkdirSync(join(home, 'empty'));
      const ofHome =
        'project/node_modules/.bin .cargo/bin .pyenv/shims .pyenv/bin .local/bin go/bin bin not/there ../..';
      const path = `${ofHome} .nvm/versions/node/v22/bin venv/one/bin`.split(' ').map((each) => join(home, each));
      path.push(`${machine}/opt/node-24/bin`, `${machine}/opt/tools`, '/usr/bin', '.', '', '/');
      const { folders, path: found, env } = await findToolchains(path.join(':'), home);
      expect(folders.toSorted()).to.deep.equal(
        [
          join(home, '.cargo/bin'),
          join(home, '.rustup'),
          join(home, '.pyenv/versions/3.12.1'),
          join(home, '.local/bin'),
          join(home, '.local/share/uv/python/cpython-3.13'),
          join(home, 'go/bin'),
          join(home, '.nvm/versions/node/v22'),
          join(machine, 'opt/node-24'),
          join(machine, 'opt/tools'),
          join(machine, 'opt/python'),
          join(home, 'venv/one'),
        ].toSorted(),
      );
      expect(found[0]).to.equal(join(home, '.cargo/bin'));
      expect(found).to.include(join(home, '.pyenv/versions/3.12.1/bin')).and.not.include('/usr/bin');
      expect(env).to.deep.equal({ RUSTUP_HOME: join(home, '.rustup') });
    } finally {
      rmSync(machine, { recursive: true });
    }
  });
});

// Makes dist/ of this package: the types of the contract by openapi-typescript, then JavaScript and declarations by tsc. The
// argument is a contract (`/openapi.json` of a service); without one, the one that this version of the service is tested against.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

const here = import.meta.dirname;
const contract = resolve(process.argv[2] ?? join(here, '../../test/golden/openapi.json'));

const run = (command: string, args: readonly string[]) => {
  const { error, status, stdout, stderr } = spawnSync(command, args, { cwd: here, encoding: 'utf8' });
  if (error) throw new Error(`${command} can't be started: npm install --global openapi-typescript typescript@5`);
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}\n${stdout}${stderr}`);
};

rmSync(join(here, 'dist'), { recursive: true, force: true });
run('openapi-typescript', [contract, '--output', 'src/contract.ts', '--default-non-nullable', 'false']);
run('tsc', ['-p', 'tsconfig.json']);

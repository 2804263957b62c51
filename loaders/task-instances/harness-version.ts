import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };

/** Equal only for the same harness: the package's version and a digest of what an evaluation is made of. */
export const harnessVersion = `${packageJson.version}+${digest()}`;

function digest(): string {
  const loaders = join(import.meta.dirname, '..');
  const own = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(ts|js|sh|cjs)$/.test(path))
    .map((path) => join('task-instances', path));
  const hash = createHash('sha256');
  const source = extname(import.meta.filename);
  for (const path of [...own.sort(), `snapshot/apply-patch${source}`, `snapshot/checkout${source}`])
    hash.update(path.replaceAll('\\', '/')).update(readFileSync(join(loaders, path)));
  return hash.digest('hex').slice(0, 12);
}

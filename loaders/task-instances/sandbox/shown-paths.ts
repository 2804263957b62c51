import { lstat, readdir, readlink, realpath } from 'node:fs/promises';
import type { SeenPath } from './level.ts';

const programs = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];

/** Of /etc: what programs need to start, without keys, passwords and names of users. */
const settings =
  /^(alternatives|ld\.so\..*|nsswitch\.conf|protocols|services|mime\.types|java.*|python.*|pki|ca-certificates|crypto-policies)$/;
const singleSettings = ['/etc/ssl/certs', '/etc/ssl/openssl.cnf', '/etc/maven/m2.conf', '/etc/maven/logging'];

/** What of the machine every sandbox shows, and with a network how names are looked up in it. */
export async function shownPaths(network: boolean): Promise<SeenPath[]> {
  const names = (await readdir('/etc').catch(() => [])).filter((name) => settings.test(name));
  const paths = [...programs, ...names.map((name) => `/etc/${name}`), ...singleSettings];
  const seen: SeenPath[] = [];
  for (const path of paths) {
    const found = await lstat(path).catch(() => null);
    if (found?.isSymbolicLink()) seen.push({ from: path, to: path, link: await readlink(path) });
    else if (found) seen.push({ from: path, to: path });
  }
  // Often a link to what a resolver keeps up to date.
  const resolver = network ? await realpath('/etc/resolv.conf').catch(() => null) : null;
  if (resolver !== null) seen.push({ from: resolver, to: '/etc/resolv.conf' });
  return seen;
}

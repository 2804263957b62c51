import { beginsAsNamed, defineEcosystem, isUnder } from './ecosystem.ts';

export const npm = defineEcosystem({
  id: 'npm',
  osv: 'npm',
  purlType: 'npm',
  versions: 'semver',
  exactRange: /^=?v?(\d+\.\d+\.\d[\w.+-]*)$/,
  manifest: /(^|\/)package\.json$/,
  lockfiles: [
    'package-lock.json',
    'npm-shrinkwrap.json',
    'yarn.lock',
    'pnpm-lock.yaml',
    'bun.lock',
    'bun.lockb',
    'deno.lock',
  ],
  isModuleOf: (module, name) => isUnder(module, name, '/'),
  packagesOfModule(module) {
    const [first = '', second = ''] = module.split('/');
    return [first.startsWith('@') ? `${first}/${second}` : first];
  },
  mayBegin: beginsAsNamed,
  moduleSeparator: '.',
});

import { beginsAsNamed, defineEcosystem, isUnder, outwards } from './ecosystem.ts';

export const go = defineEcosystem({
  id: 'go',
  osv: 'Go',
  purlType: 'golang',
  versions: 'semver',
  exactRange: /^(v\d[\w.+-]*)$/,
  manifest: /(^|\/)go\.mod$/,
  lockfiles: ['go.sum'],
  isModuleOf: (module, name) => isUnder(module, name, '/'),
  packagesOfModule: (module) => outwards(module, '/'),
  mayBegin: beginsAsNamed,
  moduleSeparator: '.',
});

import { defineEcosystem, isUnder } from './ecosystem.ts';

export const cargo = defineEcosystem({
  id: 'cargo',
  osv: 'crates.io',
  purlType: 'cargo',
  versions: 'semver',
  exactRange: /^=\s*(\d[\w.+-]*)$/,
  manifest: /(^|\/)Cargo\.toml$/,
  lockfiles: ['Cargo.lock'],
  isModuleOf: (module, name) => isUnder(module, name.replaceAll('-', '_'), '::'),
  packagesOfModule: (module) => [(module.split('::')[0] ?? '').replaceAll('_', '-')],
  mayBegin: (name, first) => name.replaceAll('-', '_') === first,
  moduleSeparator: '::',
});

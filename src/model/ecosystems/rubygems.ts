import { defineEcosystem, isUnder, outwards } from './ecosystem.ts';

export const rubygems = defineEcosystem({
  id: 'rubygems',
  osv: 'RubyGems',
  purlType: 'gem',
  versions: 'numbers',
  exactRange: /^=?\s*(\d[\w.-]*)$/,
  manifest: /(^|\/)Gemfile$/,
  lockfiles: ['Gemfile.lock'],
  isModuleOf: (module, name) => isUnder(module, name, '/') || isUnder(module, name.replaceAll('-', '/'), '/'),
  packagesOfModule: (module) => outwards(module, '.'),
  // Packages have no names in the source.
  mayBegin: () => true,
  moduleSeparator: '.',
  modulesAreNamedFreely: 'published',
});

import { beginsAsNamed, defineEcosystem, isUnder, outwards } from './ecosystem.ts';

export const maven = defineEcosystem({
  id: 'maven',
  osv: 'Maven',
  purlType: 'maven',
  nameSeparator: ':',
  versions: 'numbers',
  exactRange: /^\[?(\d[\w.+-]*)\]?$/,
  manifest: /(^|\/)build\.gradle(\.kts)?$/,
  lockfiles: ['gradle.lockfile', 'buildscript-gradle.lockfile'],
  // An artifact's packages begin with its group, nothing closer is written down.
  isModuleOf: (module, name) => isUnder(module, name.split(':')[0] ?? name, '.'),
  *packagesOfModule(module) {
    for (const group of outwards(module, '.')) yield `${group}:`;
  },
  mayBegin: beginsAsNamed,
  moduleSeparator: '.',
  modulesAreNamedFreely: 'always',
  // What all packages of a country or a kind begin with is nobody's.
  languageModules: /^(?:java|javax|jdk|kotlin|scala)(?:\.|$)|^(?:com|org|net|io|dev|app|co|me|edu|gov|[a-z]{2})$/,
});

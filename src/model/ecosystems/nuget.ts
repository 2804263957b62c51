import { beginsAsNamed, defineEcosystem, isUnder, outwards } from './ecosystem.ts';

export const nuget = defineEcosystem({
  id: 'nuget',
  osv: 'NuGet',
  purlType: 'nuget',
  versions: 'numbers',
  exactRange: /^\[(\d[\w.+-]*)\]$/,
  manifest: /(^|\/)[^/]+\.csproj$/,
  lockfiles: ['packages.lock.json'],
  isModuleOf: (module, name) => isUnder(module, name, '.'),
  packagesOfModule: (module) => outwards(module, '.'),
  mayBegin: beginsAsNamed,
  moduleSeparator: '.',
  modulesAreNamedFreely: 'always',
  languageModules:
    /^System(?:\.(?:Collections|Diagnostics|Globalization|IO|Linq|Net|Reflection|Runtime|Text|Threading)(?:\.\w+)?)?$/,
});

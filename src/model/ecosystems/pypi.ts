import { beginsAsNamed, defineEcosystem } from './ecosystem.ts';

/** A module's first name, as a package's is compared. */
const topOf = (module: string) => (module.split('.')[0] ?? '').toLowerCase().replaceAll('_', '-');

export const pypi = defineEcosystem({
  id: 'pypi',
  osv: 'PyPI',
  purlType: 'pypi',
  canonicalName: pypiName,
  versions: 'pep440',
  exactRange: /^={2,3}\s*([\w.+!-]+)$/,
  manifest: /(^|\/)(pyproject\.toml|Pipfile|setup\.py|requirements[^/]*\.txt)$/,
  lockfiles: ['poetry.lock', 'uv.lock', 'pdm.lock', 'Pipfile.lock', 'pylock.toml', 'conda-lock.yml', 'pixi.lock'],
  // The module's name is mostly the package's; PyYAML and python-dateutil show the two usual prefixes.
  isModuleOf(module, name) {
    const top = topOf(module);
    return [top, `py${top}`, `python-${top}`].includes(name);
  },
  packagesOfModule: (module) => [topOf(module)],
  mayBegin: beginsAsNamed,
  moduleSeparator: '.',
  modulesAreNamedFreely: 'published',
});

/** A name as the registry compares it (PEP 503). */
export function pypiName(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-');
}

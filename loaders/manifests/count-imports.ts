import type { PackageName, Requirement } from '../../src/model/snapshot.ts';
import { languageById } from '../languages/index.ts';
import type { Resolution } from '../resolution/resolution.ts';

/**
 * Says of each requirement how many source files import it. A package's first requirement carries the count, so that adding
 * up counts no file twice.
 */
export function countImports(
  requires: readonly Requirement[],
  { externalImports }: Pick<Resolution, 'externalImports'>,
): Requirement[] {
  const modules = new Map<string, Set<number>>();
  for (const { document, language, module } of externalImports) {
    const key = `${ecosystemOf(language)} ${module}`;
    const importers = modules.get(key) ?? new Set();
    modules.set(key, importers.add(document));
  }
  const counted = new Set<string>();
  return requires.map((requirement) => {
    const key = `${requirement.ecosystem} ${requirement.name}`;
    if (counted.has(key)) return { ...requirement, imports: 0 };
    counted.add(key);
    const importers = new Set<number>();
    for (const [name, documentsOf] of modules) {
      const [ecosystem = '', module = ''] = name.split(' ', 2);
      if (ecosystem === requirement.ecosystem && isModuleOf[requirement.ecosystem](module, requirement.name)) {
        for (const document of documentsOf) importers.add(document);
      }
    }
    return { ...requirement, imports: importers.size };
  });
}

const under = (module: string, name: string, separator: string) =>
  module === name || module.startsWith(name + separator);

/** Whether an import's text names a module of this package, by the rules of its ecosystem. */
export const isModuleOf: Record<PackageName['ecosystem'], (module: string, name: string) => boolean> = {
  npm: (module, name) => under(module, name, '/'),
  // The module's name is mostly the package's; PyYAML and python-dateutil show the two usual prefixes.
  pypi: (module, name) => {
    const top = (module.split('.')[0] ?? '').toLowerCase().replaceAll('_', '-');
    return [top, `py${top}`, `python-${top}`].includes(name);
  },
  go: (module, name) => under(module, name, '/'),
  // An artifact's packages begin with its group, nothing closer is written down.
  maven: (module, name) => under(module, name.split(':')[0] ?? name, '.'),
  cargo: (module, name) => under(module, name.replaceAll('-', '_'), '::'),
  nuget: (module, name) => under(module, name, '.'),
  // A namespace begins with the vendor, and names the package somewhere: `Symfony\\Component\\Console`.
  composer: (module, name) => {
    const [vendor = '', own = ''] = name.replaceAll('-', '').split('/');
    const [first, ...rest] = module.toLowerCase().split('\\');
    return first === vendor && (own === vendor || rest.length === 0 || rest.includes(own));
  },
  rubygems: (module, name) => under(module, name, '/') || under(module, name.replaceAll('-', '/'), '/'),
};

/** The ecosystem whose packages a language of ours imports. */
export function ecosystemOf(language: string): PackageName['ecosystem'] | '' {
  return languageById(language)?.ecosystem ?? '';
}

import { ecosystemById } from '../../src/model/ecosystems/index.ts';
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
      if (ecosystem === requirement.ecosystem && ecosystemById(ecosystem)?.isModuleOf(module, requirement.name)) {
        for (const document of documentsOf) importers.add(document);
      }
    }
    return { ...requirement, imports: importers.size };
  });
}

/** The ecosystem whose packages a language of ours imports. */
export function ecosystemOf(language: string): PackageName['ecosystem'] | '' {
  return languageById(language)?.ecosystem ?? '';
}

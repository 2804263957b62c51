import type { FileFacts } from '../facts/fact.ts';
import type { Document as SpooledDocument } from '../facts/document.ts';
import { languageById } from '../languages/index.ts';
import type { Language, ModuleResolver, RepositoryFiles, Semantics } from '../languages/language.ts';
import type { Document } from './documents.ts';

/** The files of a repository, each with what its language says of it, then those that its languages bring. */
export function prepare(files: readonly SpooledDocument[], repository: Omit<RepositoryFiles, 'packageOf'>): Document[] {
  const packageNames = new Map<string, string>();
  const languageIds: string[] = [];
  for (const file of files) {
    const { packageName, language } = file.facts;
    if (packageName !== null) packageNames.set(file.path, packageName);
    languageIds.push(language);
    file.release?.();
  }
  const whole: RepositoryFiles = { ...repository, packageOf: (path) => packageNames.get(path) ?? null };
  const resolvers = new Map<Language['modules'], ModuleResolver>();
  const used = new Set<Language>();
  const prepared = files.map<Document>((file, index) => {
    const { path } = file;
    const language = languageById(languageIds[index] ?? '');
    if (!language) throw new Error(`${path} is in ${languageIds[index]}, which is no language that is known.`);
    const modules = resolvers.get(language.modules) ?? memoised(language.modules.prepare(whole));
    resolvers.set(language.modules, modules);
    used.add(language);
    return new PreparedDocument(file, language, modules);
  });
  for (const language of used) {
    const { semantics, family } = language;
    const modules = resolvers.get(language.modules);
    for (const { path, facts } of (modules && language.library?.()) ?? []) {
      if (modules) prepared.push({ path, facts, semantics, modules, family, language: facts.language, library: true });
    }
  }
  return prepared;
}

/** A class, as there are very many: what they share costs each nothing. */
class PreparedDocument implements Document {
  readonly modules: ModuleResolver;
  readonly library = false;
  readonly release?: () => number;
  readonly #file: SpooledDocument;
  readonly #language: Language;

  constructor(file: SpooledDocument, language: Language, modules: ModuleResolver) {
    this.#file = file;
    this.#language = language;
    this.modules = modules;
    if (file.release) this.release = file.release;
  }

  get path(): string {
    return this.#file.path;
  }

  get facts(): FileFacts {
    return this.#file.facts;
  }

  get semantics(): Semantics {
    return this.#language.semantics;
  }

  get family(): string {
    return this.#language.family;
  }

  get language(): string {
    return this.#language.id;
  }
}

/** So many answers of a resolver are remembered: most files ask for what others near them asked for. */
const maxRemembered = 20_000;

/** The same specifier in one folder leads to the same files. */
function memoised(resolver: ModuleResolver): ModuleResolver {
  const known = new Map<string, readonly string[] | null>();
  return {
    resolve(specifier, fromPath) {
      const key = `${fromPath} ${specifier}`;
      const found = known.get(key);
      if (found !== undefined) return found;
      const paths = resolver.resolve(specifier, fromPath);
      if (known.size === maxRemembered) known.clear();
      known.set(key, paths);
      return paths;
    },
    ...(resolver.published ? { published: () => resolver.published?.() ?? [] } : {}),
  };
}

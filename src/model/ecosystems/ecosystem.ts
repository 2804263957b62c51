/** Where packages are published, and by which rules its packages, versions and modules are named. */
export interface Ecosystem<Id extends string = string, Osv extends string = string> {
  id: Id;
  /** As osv.dev calls it. */
  osv: Osv;
  /** Of package URLs (purl). */
  purlType: string;
  /** Between the parts of a package's name; a slash, where it does not say. */
  nameSeparator?: string;
  /** A name as the registry compares it; as it is written, where it does not say. */
  canonicalName?(name: string): string;
  /** How versions are compared: `numbers` of releases alone, where what stands for a pre-release is not known. */
  versions: 'semver' | 'pep440' | 'numbers';
  /** How a range of one version is written, which is group 1; what allows several does not fit. */
  exactRange: RegExp;
  /** A manifest, and the lockfiles that belong to it, in its folder or at the root of its workspace. */
  manifest: RegExp;
  lockfiles: readonly string[];
  /** Whether an import's text names a module of this package. */
  isModuleOf(module: string, name: string): boolean;
  /** Names of packages that a module may be of, by its text alone; the closest first. */
  packagesOfModule(module: string): Iterable<string>;
  /** Whether a way into this package that is written in full may begin so. */
  mayBegin(name: string, first: string): boolean;
  /** Between the parts of a module's name. */
  moduleSeparator: string;
  /** Modules are not always named as their packages: in what is published, or in what is needed, too. */
  modulesAreNamedFreely?: 'published' | 'always';
  /** Modules that the language brings itself. */
  languageModules?: RegExp;
}

/** Keeps the names as literals, so that those of all make up a type. */
export function defineEcosystem<const Id extends string, const Osv extends string>(
  ecosystem: Ecosystem<Id, Osv>,
): Ecosystem<Id, Osv> {
  return ecosystem;
}

/** Whether a module is this one, or lies below it. */
export function isUnder(module: string, name: string, separator: string): boolean {
  return module === name || module.startsWith(name + separator);
}

/** A module and those around it, the innermost first. */
export function* outwards(module: string, separator: string): Generator<string> {
  for (let name = module; name !== ''; name = name.slice(0, Math.max(name.lastIndexOf(separator), 0))) yield name;
}

/** Whether a way begins with the first part of the package's name. */
export function beginsAsNamed(name: string, first: string): boolean {
  return name.split(/[.:/]/, 1)[0]?.replaceAll('-', '').toLowerCase() === first.toLowerCase();
}

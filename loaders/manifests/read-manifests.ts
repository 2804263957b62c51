import type { PackageName, Requirement, Skipped } from '../../src/model/snapshot.ts';
import { oncePerPath } from '../snapshot/once-per-path.ts';
import type { OpenSnapshot } from '../snapshot/snapshot.ts';
import { manifestFormats } from './index.ts';
import { isLicenceText, licenceOfTexts } from './licence-text.ts';
import type { Description, Manifest } from './manifest.ts';
import { isReadme, readmeText } from './readme.ts';

/** What the manifests of a repository say together, and the texts of its small configuration files. */
export interface Manifests {
  publishes: PackageName[];
  requires: Requirement[];
  /** Of the repository; `readme` is the README's title and first paragraph. */
  description: Description & { readme?: string };
  warnings: string[];
  /** Of all files in the snapshot, parsed or not, sorted. */
  paths: string[];
  /** Text of a configuration file that was read; null for any other. */
  text(path: string): string | null;
}

const maxBytes = 1_000_000;
/** What says how a repository's modules find each other, and what its components are, beside its manifests. */
const moduleConfiguration =
  /(^|\/)([jt]sconfig[^/]*\.json|go\.work|pnpm-workspace\.yaml|lerna\.json|deno\.jsonc?)$|^architecture\.yml$/;
const notContent: ReadonlySet<Skipped['reason']> = new Set(['symlink', 'submodule']);

/** Reads every manifest of a snapshot; one that can't be parsed is a warning, never an error. */
export async function readManifests(snapshot: OpenSnapshot): Promise<Manifests> {
  const texts = await readTexts(snapshot);
  const read: { path: string; manifest: Manifest }[] = [];
  const warnings: string[] = [];
  for (const [path, text] of texts) {
    try {
      for (const format of manifestFormats)
        if (format.matches(path)) read.push({ path, manifest: format.read(text, path) });
    } catch (error) {
      const reason = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
      warnings.push(`manifest: ${JSON.stringify(path)} could not be read and is left out (${reason}).`);
    }
  }
  const aside = new Set(snapshot.files.filter((file) => file.test || file.documentation).map(({ path }) => path));
  return {
    // What documentation and tests publish is an example; what they need is still needed, to develop.
    publishes: unique(read.flatMap(({ path, manifest }) => (aside.has(path) ? [] : manifest.publishes))),
    requires: read.flatMap(({ path, manifest }) =>
      aside.has(path)
        ? manifest.requires.map((each) => ({ ...each, scope: 'development' as const }))
        : manifest.requires,
    ),
    description: describe(
      read.filter(({ path }) => !aside.has(path)),
      texts,
    ),
    warnings,
    paths: [...snapshot.files, ...snapshot.skipped.filter(({ reason }) => !notContent.has(reason))]
      .map(({ path }) => path)
      .filter((path) => !path.endsWith('/'))
      .sort(),
    text: (path) => texts.get(path) ?? null,
  };
}

async function readTexts(snapshot: OpenSnapshot): Promise<Map<string, string>> {
  const wanted = snapshot.files.filter(({ path, size }) => size <= maxBytes && isConfiguration(path));
  const texts = new Map<string, string>();
  for await (const { path, content } of snapshot.read(wanted.map(({ path }) => path)))
    if (content !== null) texts.set(path, new TextDecoder().decode(content));
  return texts;
}

/** Whether a file is small configuration that the analysis reads whole: a manifest, a README, a licence, module settings. */
const isConfiguration = oncePerPath(
  (path) =>
    moduleConfiguration.test(path) ||
    isReadme(path) ||
    isLicenceText(path) ||
    manifestFormats.some((format) => format.matches(path)),
);

/**
 * A manifest at the root says it first; then the README what it is, and the text of the licence which one that is; then the
 * manifest that is nearest to the root.
 */
function describe(read: readonly { path: string; manifest: Manifest }[], texts: ReadonlyMap<string, string>) {
  const depth = (path: string) => path.split('/').length;
  const found: Manifests['description'] = {};
  const readmes = [...texts.keys()].filter(isReadme).sort((a, b) => depth(a) - depth(b));
  const readme = readmes.map((path) => readmeText(texts.get(path) ?? '')).find((text) => text !== undefined);
  const license = licenceOfTexts(texts);
  const nearest = read.toSorted((a, b) => depth(b.path) - depth(a.path));
  for (const { path, manifest } of nearest) if (depth(path) > 1) Object.assign(found, manifest.description);
  if (readme !== undefined) Object.assign(found, { readme, description: readme });
  if (license !== undefined) found.license = license;
  for (const { path, manifest } of nearest)
    if (depth(path) === 1) Object.assign(found, withLicence(manifest.description, license));
  return found;
}

/** Where a manifest says no more than where its licence is, or which family it is of, the text says more. */
function withLicence({ license, ...description }: Description, told: string | undefined): Description {
  const isVague =
    license === undefined || !/^[\w.+()-]+( (OR|AND|WITH) [\w.+()-]+)*$/.test(license) || families.test(license);
  return { ...description, ...(license === undefined || (isVague && told !== undefined) ? {} : { license }) };
}

const families = /^(A?GPL|LGPL|BSD|Apache|Creative Commons|proprietary)$/i;

function unique(packages: readonly PackageName[]): PackageName[] {
  return [...new Map(packages.map((each) => [`${each.ecosystem} ${each.name}`, each])).values()];
}

import { createRequire } from 'node:module';
import { XMLParser } from 'fast-xml-parser';
import { ecosystemByPurlType } from '../../src/model/ecosystems/index.ts';
import { table, words } from './manifest.ts';
import type { ResolvedPackage } from './resolved-packages.ts';

/** Whether a file is a bill of materials: CycloneDX in JSON or XML, SPDX in JSON or as tags and values. */
export const isSbom = (path: string): boolean =>
  /(^|\/)(bom|sbom)\.(json|xml|spdx)$|\.(cdx|cyclonedx|bom|sbom|spdx)\.(json|xml)$|\.spdx(\.tv)?$/i.test(path);

/** The packages that a bill of materials names by their package URLs, with a version; throws for what is none. */
export function packagesOfSbom(text: string): Omit<ResolvedPackage, 'path'>[] {
  return purlsIn(text.replace(/^\uFEFF/, '')).flatMap(packageOf);
}

function purlsIn(text: string): string[] {
  if (/^\s*\{/.test(text)) return purlsOfJson(table(JSON.parse(text)));
  if (/^\s*</.test(text)) {
    // Entities stay as they are written: a file can define some that grow to gigabytes.
    const parser = new XMLParser({ processEntities: false, parseTagValue: false });
    return componentPurls(table(table(parser.parse(text))['bom'])['components']);
  }
  const tags = /^ExternalRef:[ \t]{1,9}PACKAGE[-_]MANAGER[ \t]{1,9}purl[ \t]{1,9}(\S{1,2000})/gm;
  return Array.from(text.matchAll(tags), ([, purl = '']) => purl);
}

/** Of CycloneDX, of SPDX 2, and of SPDX 3. */
function purlsOfJson(bom: Record<string, unknown>): string[] {
  if (bom['bomFormat'] === 'CycloneDX') return componentPurls(bom['components']);
  const references = list(bom['packages']).flatMap((each) => list(each['externalRefs']));
  return [
    ...references.filter((each) => each['referenceType'] === 'purl').map((each) => each['referenceLocator']),
    ...list(bom['@graph']).map((each) => each['software_packageUrl']),
  ].flatMap((purl) => words(purl) ?? []);
}

/** Deeper than any component holds components. */
const deepest = 40;

/** Of components and those within them. */
function componentPurls(node: unknown, depth = 0): string[] {
  if (node === undefined || depth > deepest) return [];
  if (Array.isArray(node)) return node.flatMap((each) => componentPurls(each, depth + 1));
  const { purl, component, components } = table(node);
  return [
    ...(typeof purl === 'string' ? [purl] : []),
    ...[component, components].flatMap((each) => componentPurls(each, depth + 1)),
  ];
}

const list = (value: unknown) => (Array.isArray(value) ? value.map(table) : []);

// Loaded where there is such a bill: it brings the alphabets of all languages, which takes longer than all else here.
const require = createRequire(import.meta.url);
const packageUrls = () => (require('packageurl-js') as typeof import('packageurl-js')).PackageURL;

function packageOf(text: string): Omit<ResolvedPackage, 'path'>[] {
  try {
    const { type, namespace, name, version } = packageUrls().fromString(text.trim());
    const ecosystem = ecosystemByPurlType(type ?? '');
    if (!ecosystem || !name || !version) return [];
    const { osv, nameSeparator = '/' } = ecosystem;
    return [
      {
        ecosystem: osv,
        name: namespace ? `${namespace}${nameSeparator}${name}` : name,
        version: osv === 'Go' ? version.replace(/^v/, '') : version,
      },
    ];
  } catch {
    // Any text may stand where a package URL belongs.
    return [];
  }
}

import { Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library';
import { PackageURL } from 'packageurl-js';
import packageJson from '../../package.json' with { type: 'json' };
import { ecosystemById, ecosystemByOsv, type EcosystemId } from '../model/ecosystems/index.ts';
import type { SuppliedPackage } from '../model/due-diligence.ts';
import type { Requirement } from '../model/snapshot.ts';
import type { RepositoryReport } from './report.ts';

/**
 * The direct dependencies, and every package that is locked with its version, licence and the way there, as a bill of materials,
 * CycloneDX 1.6 in JSON; the same commit gives the same bytes.
 */
export function sbomOf({ repo, as_of_commit, requires, details: { supply } }: RepositoryReport): string {
  const bom = new Models.Bom();
  const root = new Models.Component(Enums.ComponentType.Application, repo, {
    bomRef: 'repository',
    version: as_of_commit ?? undefined,
  });
  bom.metadata.component = root;
  bom.metadata.tools.components.add(
    new Models.Component(Enums.ComponentType.Application, 'repo-intel', { version: packageJson.version }),
  );
  const packages = supply?.packages ?? [];
  const locked = new Map(packages.map((each) => [`${each.ecosystem} ${each.name} ${each.version}`, each]));
  const components = new Map<string, Models.Component>(packages.flatMap((each) => componentOfLocked(each) ?? []));
  for (const component of components.values()) bom.components.add(component);
  for (const { ecosystem, name, version, via = [] } of locked.values()) {
    const parent = via.at(-2);
    const self = components.get(`${ecosystem} ${name} ${version}`);
    if (self && via.length > 0)
      (parent === undefined ? root : (components.get(`${ecosystem} ${parent}`) ?? root)).dependencies.add(self.bomRef);
  }
  const direct = Map.groupBy(
    packages.filter(({ via }) => via?.length === 1),
    ({ ecosystem, name }) => `${ecosystem} ${name}`,
  );
  const lockedAs = ({ ecosystem, name }: Requirement) => {
    const known = ecosystemById(ecosystem);
    return direct.get(`${known?.osv} ${known?.canonicalName?.(name) ?? name}`) ?? [];
  };
  for (const requirement of requires)
    for (const { ecosystem, name, version } of lockedAs(requirement)) {
      const component = components.get(`${ecosystem} ${name} ${version}`);
      if (component) tellManifests(component, [requirement]);
    }
  const loose = requires.filter((requirement) => lockedAs(requirement).length === 0);
  for (const [ref, requirements] of Map.groupBy(loose, refOf)) {
    const component = componentOf(ref, requirements);
    if (!component) continue;
    bom.components.add(component);
    root.dependencies.add(component.bomRef);
  }
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6));
  return `${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`;
}

const refOf = ({ ecosystem, name, range }: Requirement) =>
  [ecosystem, name, exactVersion(ecosystem, range) ?? range ?? ''].join('|');

/** One package, however many manifests ask for it. */
function componentOf(bomRef: string, requirements: readonly Requirement[]) {
  const [first] = requirements;
  if (!first) return null;
  const { ecosystem, name, range } = first;
  const version = exactVersion(ecosystem, range);
  const component = new Models.Component(Enums.ComponentType.Library, name, {
    bomRef,
    version,
    purl: purlOf(ecosystem, name, version),
    scope: requirements.some(({ scope }) => scope === 'runtime')
      ? Enums.ComponentScope.Required
      : Enums.ComponentScope.Optional,
  });
  tellManifests(component, requirements);
  return component;
}

/** Which manifests ask for it, and how. */
function tellManifests({ properties }: Models.Component, requirements: readonly Requirement[]) {
  for (const { path, line, range } of requirements) {
    if (range !== null) properties.add(new Models.Property('repo-intel:range', range));
    properties.add(new Models.Property('repo-intel:manifest', line === null ? path : `${path}:${line}`));
  }
}

/** A package that is locked, by what others call it. */
function componentOfLocked({ ecosystem, name, version, path, license, via, shipped }: SuppliedPackage) {
  const known = ecosystemByOsv(ecosystem);
  if (!known) return null;
  const component = new Models.Component(Enums.ComponentType.Library, name, {
    bomRef: [known.id, name, version].join('|'),
    version,
    purl: purlOf(known.id, name, version),
    scope: shipped === false ? Enums.ComponentScope.Optional : Enums.ComponentScope.Required,
  });
  if (license !== undefined) component.licenses.add(new Models.NamedLicense(license));
  component.properties.add(new Models.Property('repo-intel:locked', path));
  if (via) component.properties.add(new Models.Property('repo-intel:via', via.join(' > ')));
  return [[`${ecosystem} ${name} ${version}`, component] as const];
}

function exactVersion(ecosystem: EcosystemId, range: string | null): string | undefined {
  return range === null ? undefined : ecosystemById(ecosystem)?.exactRange.exec(range.trim())?.[1];
}

function purlOf(ecosystem: EcosystemId, name: string, version: string | undefined): string | undefined {
  const { purlType = ecosystem, nameSeparator = '/' } = ecosystemById(ecosystem) ?? {};
  const parts = name.split(nameSeparator);
  const last = parts.pop() ?? name;
  try {
    const namespace = parts.length === 0 ? undefined : parts.join('/');
    return new PackageURL(purlType, namespace, last, version, undefined, undefined).toString();
  } catch {
    // A manifest may hold any text as a name.
    return undefined;
  }
}

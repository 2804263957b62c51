import { Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library';
import { PackageURL } from 'packageurl-js';
import packageJson from '../../package.json' with { type: 'json' };
import { ecosystemById, type EcosystemId } from '../model/ecosystems/index.ts';
import type { Requirement } from '../model/snapshot.ts';
import type { RepositoryReport } from './report.ts';

/** The direct dependencies as a bill of materials, CycloneDX 1.6 in JSON; the same commit gives the same bytes. */
export function sbomOf({ repo, as_of_commit, requires }: RepositoryReport): string {
  const bom = new Models.Bom();
  const root = new Models.Component(Enums.ComponentType.Application, repo, {
    bomRef: 'repository',
    version: as_of_commit ?? undefined,
  });
  bom.metadata.component = root;
  bom.metadata.tools.components.add(
    new Models.Component(Enums.ComponentType.Application, 'repo-intel', { version: packageJson.version }),
  );
  for (const [ref, requirements] of Map.groupBy(requires, refOf)) {
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
  if (range !== null) component.properties.add(new Models.Property('repo-intel:range', range));
  for (const { path, line } of requirements)
    component.properties.add(new Models.Property('repo-intel:manifest', line === null ? path : `${path}:${line}`));
  return component;
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

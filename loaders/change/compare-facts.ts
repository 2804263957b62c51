import { listed, type Change } from '../../src/model/change.ts';
import type { GraphNode } from '../../src/model/graph.ts';
import type { Requirement } from '../../src/model/snapshot.ts';

/** What a commit offers and needs, beside its code. */
export interface Facts {
  requires: readonly Requirement[];
  /** Of the repository, as it says. */
  license: string | null;
  endpoints: readonly GraphNode[];
  models: readonly GraphNode[];
}

/** Reads them out of a snapshot's nodes; what tests offer is for tests. */
export function readFacts(requires: readonly Requirement[], nodes: Iterable<GraphNode>): Facts {
  const facts = { requires, license: null as string | null, endpoints: [] as GraphNode[], models: [] as GraphNode[] };
  for (const node of nodes) {
    const { type, properties } = node;
    if (type === 'Repository') facts.license = typeof properties['license'] === 'string' ? properties['license'] : null;
    else if (properties['test'] === true) continue;
    else if (type === 'Endpoint') facts.endpoints.push(node);
    else if (type === 'DataModel') facts.models.push(node);
  }
  return facts;
}

/** Endpoints by what they are called at, data models by name and fields, packages by the manifest that asks for them. Pure. */
export function compareFacts(
  before: Facts,
  after: Facts,
): Pick<Change, 'endpoints' | 'models' | 'dependencies' | 'license'> {
  return {
    endpoints: comparedNodes(before.endpoints, after.endpoints, () => []),
    models: comparedNodes(before.models, after.models, lostFields),
    dependencies: listed(dependencies(before.requires, after.requires)),
    license: { before: before.license, after: after.license },
  };
}

/** By name: where it stands in the source is nothing to those who use it. */
function comparedNodes(
  before: readonly GraphNode[],
  after: readonly GraphNode[],
  lost: (old: GraphNode, now: GraphNode) => string[],
): Change['endpoints'] {
  const [olds, nows] = [before, after].map((nodes) => new Map(nodes.map((node) => [node.name, node])));
  const sorted = (nodes: Iterable<GraphNode>) => [...nodes].sort((a, b) => (a.name < b.name ? -1 : 1));
  const place = ({ name, path, line }: GraphNode) => ({ name, path: path ?? '', line });
  const added = sorted(nows?.values() ?? []).filter(({ name }) => !olds?.has(name));
  const broken = sorted(olds?.values() ?? []).flatMap((old) => {
    const now = nows?.get(old.name);
    if (!now) return [{ ...place(old), lost: [] }];
    const fields = lost(old, now);
    return fields.length === 0 ? [] : [{ ...place(now), lost: fields }];
  });
  return { added: listed(added.map(place)), broken: listed(broken) };
}

function lostFields({ properties: old }: GraphNode, { properties: now }: GraphNode): string[] {
  const [had, has] = [old['fields'], now['fields']].map((fields) => (Array.isArray(fields) ? fields.map(String) : []));
  return (had ?? []).filter((field) => !has?.includes(field)).sort();
}

function dependencies(before: readonly Requirement[], after: readonly Requirement[]): Change['dependencies']['items'] {
  const keyOf = ({ ecosystem, name, path, scope }: Requirement) => `${ecosystem} ${name} ${scope} ${path}`;
  const [olds, nows] = [before, after].map((all) => new Map(all.map((each) => [keyOf(each), each])));
  const keys = [...new Set([...(olds?.keys() ?? []), ...(nows?.keys() ?? [])])].sort();
  return keys.flatMap((key) => {
    const [old, now] = [olds?.get(key), nows?.get(key)];
    const any = now ?? old;
    if (!any || (old && now && old.range === now.range)) return [];
    const { ecosystem, name, scope, path, line } = any;
    const status = !old ? 'added' : !now ? 'removed' : 'changed';
    return [
      { ecosystem, name, scope, path, line, status, before: old?.range ?? null, after: now?.range ?? null } as const,
    ];
  });
}

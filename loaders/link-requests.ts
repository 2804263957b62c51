import type { GraphEdge } from '../src/model/graph.ts';
import { nodeId } from '../src/model/graph.ts';
import { nameOfKey } from '../src/model/repository-key.ts';
import type { RepositoryInfo, Request } from '../src/model/snapshot.ts';

/** Segments that every service has: an address of nothing else tells nobody apart. */
const common =
  /^(?:api|v\d+|rest|health|healthz|live|livez|ready|readyz|ping|status|metrics|version|login|logout|auth|graphql|index|search|\{.*\})$/i;
/** An address that more repositories answer at is nobody's in particular. */
const maxAnswering = 3;

interface Answering {
  repository: string;
  method: string;
  segments: readonly string[];
}

/**
 * CALLS between repositories: a request in one whose method and path another answers at. What a repository answers itself stays
 * there; a host that is written down must be called as the repository is. Weight: how many places there are.
 */
export function linkRequests(repositories: readonly RepositoryInfo[]): GraphEdge[] {
  const bySize = new Map<number, Answering[]>();
  for (const { name, endpoints = [] } of repositories) {
    for (const { method, path } of endpoints) {
      const segments = path.split('/').slice(1);
      const same = bySize.get(segments.length) ?? [];
      same.push({ repository: name, method, segments });
      bySize.set(segments.length, same);
    }
  }
  const edges = new Map<string, GraphEdge>();
  for (const { name: from, requests = [] } of repositories) {
    for (const request of requests) {
      const answering = whoAnswers(request, bySize);
      if (answering.has(from)) continue;
      const named = [...answering].filter((to) => isHost(request.host, nameOfKey(to)));
      const targets = named.length > 0 ? named : isElsewhere(request.host) ? [] : [...answering];
      if (targets.length > maxAnswering) continue;
      for (const to of targets) add(edges, from, to, request, (named.length > 0 ? 0.9 : 0.8) / targets.length);
    }
  }
  return [...edges.values()];
}

function whoAnswers({ method, path }: Request, bySize: ReadonlyMap<number, readonly Answering[]>): Set<string> {
  const segments = path.split('/').slice(1);
  if (segments.every((segment) => common.test(segment))) return new Set();
  const answers = (bySize.get(segments.length) ?? []).filter(
    (each) =>
      (each.method === method || each.method === 'ANY') &&
      each.segments.every((segment, index) => {
        const asked = segments[index] ?? '';
        return segment === asked || segment.startsWith('{');
      }),
  );
  // A path that is written as it is asked for is meant before one with a parameter in its place.
  const literal = (each: Answering) => each.segments.filter((segment) => !segment.startsWith('{')).length;
  const most = answers.reduce((least, each) => Math.max(least, literal(each)), 1);
  return new Set(answers.filter((each) => literal(each) === most).map(({ repository }) => repository));
}

/** `payments`, `payments.internal` and `payments-api:8080` are hosts of the repository payments-api. */
function isHost(host: string | null, repository: string): boolean {
  const first = host?.split('.')[0] ?? '';
  const name = repository.toLowerCase();
  if (/^(?:api|www|app|web|service|server|backend|internal)$/.test(first)) return first === name;
  return first.length > 2 && (first === name || name.startsWith(`${first}-`) || name.endsWith(`-${first}`));
}

/** Neither a setting nor this machine. */
const isElsewhere = (host: string | null) => host !== null && !/^(?:localhost|127\.|0\.0\.0\.0|\[|$)/.test(host);

function add(
  edges: Map<string, GraphEdge>,
  from: string,
  to: string,
  { file, line, count }: Request,
  confidence: number,
): void {
  const key = `${from} ${to}`;
  const known = edges.get(key);
  if (known) {
    known.weight += count;
    known.confidence = Math.max(known.confidence, confidence);
    return;
  }
  const ends = { from: nodeId.repository(from), to: nodeId.repository(to) };
  edges.set(key, { type: 'CALLS', ...ends, weight: count, confidence, strategy: 'http', path: file, line });
}

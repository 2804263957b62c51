import type { LookUp } from '../resolution/look-up.ts';
import type { Found } from './detector.ts';

type Endpoint = Extract<Found, { gives: 'endpoint' }>;
type Router = Extract<Found, { gives: 'router' }>;
type Mount = Extract<Found, { gives: 'mount' }>;

/** Mounted more often, or deeper, than this is a loop or no web application. */
const maxPrefixes = 20;
const deepest = 8;

/** One file's part in the tree of routers. */
interface Place {
  path: string;
  /** Index of its facts; -1 where there are none. */
  document: number;
  routers: Router[];
  mounts: Mount[];
}

/**
 * Under which addresses an endpoint is found: what its router is declared and mounted with, in its own file and, over imports, in
 * others. One for each place where the router is mounted; `['']` where nobody mounts it.
 */
export function createPrefixes(
  files: readonly { path: string; document: number; detections: readonly { found: readonly Found[] }[] }[],
  lookUp: Pick<LookUp, 'find' | 'modules'>,
): (path: string, endpoint: Endpoint) => string[] {
  const places = new Map<string, Place>();
  const byDocument = new Map<number, Place>();
  for (const { path, document, detections } of files) {
    const found = detections.flatMap((each) => each.found);
    const place: Place = {
      path,
      document,
      routers: found.filter((each) => each.gives === 'router'),
      mounts: found.filter((each) => each.gives === 'mount'),
    };
    places.set(path, place);
    if (document >= 0) byDocument.set(document, place);
  }
  const elsewhere = mountsElsewhere();

  return (path, { router, line, within }) => {
    const place = places.get(path);
    return place ? under(place, { router, line, within }, 0) : [''];
  };

  function under(place: Place, at: { router: string | null; line: number; within: number }, depth: number): string[] {
    if (depth > deepest) return [''];
    const { routers, mounts } = place;
    const same = routers.filter(({ router }) => router === at.router);
    const declared = same.findLast(({ line }) => line <= at.line) ?? same[0];
    const own = declared?.prefix ?? '';
    const above: string[] = [];
    if (declared?.on) above.push(...under(place, { ...at, router: declared.on, line: declared.line }, depth + 1));
    else {
      const here = mounts.filter((mount) => mount.on !== mount.router && isMounted(place, mount, at));
      for (const mount of here)
        above.push(
          ...below(under(place, { router: mount.on, line: mount.line, within: mount.within }, depth + 1), mount.prefix),
        );
      const others = here.length > 0 ? [] : (elsewhere.get(place.path) ?? []);
      for (const { from, mount, name, definition } of others) {
        if (definition >= 0 ? definition !== at.within : name !== null && !fits(place, name, at.router)) continue;
        const outer = under(from, { router: mount.on, line: mount.line, within: mount.within }, depth + 1);
        above.push(...below(outer, mount.prefix));
      }
    }
    return [...new Set(below(above.length > 0 ? above : [''], own))].slice(0, maxPrefixes);
  }

  /** A router by its name, or the function that gives it or is given it, in the same file. */
  function isMounted(
    { document }: Place,
    { router, within }: Mount,
    at: { router: string | null; within: number },
  ): boolean {
    if (router === at.router || (at.router !== null && router.startsWith(`${at.router}.`))) return true;
    if (document < 0 || at.within < 0) return false;
    const found = lookUp.find(document, router, within);
    return found?.document === document && found.definition === at.within;
  }

  function mountsElsewhere() {
    const incoming = new Map<string, { from: Place; mount: Mount; name: string | null; definition: number }[]>();
    for (const from of places.values()) {
      if (from.document < 0) continue;
      for (const mount of from.mounts) {
        const defined = lookUp.find(from.document, mount.router, mount.within);
        const targets =
          defined && defined.document !== from.document
            ? [{ document: defined.document, definition: defined.definition }]
            : lookUp.modules(from.document, mount.router).map((document) => ({ document, definition: -1 }));
        for (const { document, definition } of targets) {
          const to = byDocument.get(document);
          if (!to || to === from) continue;
          const name = /[.:](\w+)$/.exec(mount.router)?.[1] ?? null;
          const known = incoming.get(to.path) ?? [];
          incoming.set(to.path, [...known, { from, mount, name, definition }]);
        }
      }
    }
    return incoming;
  }
}

/** `users.router` is that router where the file has one of this name; otherwise the name is of a module. */
function fits({ routers }: Place, name: string, router: string | null): boolean {
  return name === router || !routers.some((each) => each.router === name);
}

const below = (outer: readonly string[], prefix: string) => outer.map((each) => `${each}/${prefix}`);

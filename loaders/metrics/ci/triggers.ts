/** What a workflow's filters are held against. */
export interface Tree {
  /** Every path of the tree. */
  paths: readonly string[];
  /** The branch that is read; null where nobody can tell. */
  branch: string | null;
}

/** Events that a change sets off: somebody pushed, or asks to merge. */
const changes = ['push', 'pull_request', 'pull_request_target', 'merge_group'];
/** Names of branches that people work on, wherever they are. */
// Bounded: a name of at most `maxGlobLength` characters.
const usual =
  /^(main|master|trunk|develop|development|dev|default|next|stable|staging|production|prod|beta|alpha|canary|unstable|edge|nightly|latest|current|release|releases|hotfix|feature|v?\d[\w.-]*|(release|releases|feature|features|hotfix|maint|support|stable|version|dependabot|renovate|topic|fix)[-/_.][^\s]*|[\w.-]*[-_/]stable|[\w.-]*v?\d+\.[\dx][\w.-]*)$/i;
const triesOnBranches = ['main', 'master', 'feature/topic', 'v1.2', 'release/1.2', 'develop'];

/** Whether work may be done on a branch of this name. */
export function isPlausibleBranch(name: string, branch: string | null): boolean {
  return branch === null || name === branch || usual.test(name.slice(0, maxGlobLength));
}

type Json = Record<string, unknown>;
export const asRecord = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
export const asTexts = (value: unknown): string[] =>
  (Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]).map(String);

/** The events of changes that start a GitHub workflow, or the reason why none does. */
export function changeEvents(workflow: Json, tree: Tree): { events: string[]; never: string | null } {
  // YAML 1.1 readers take `on` for true.
  const on = workflow['on'] ?? workflow['true'];
  const written = typeof on === 'string' || Array.isArray(on) ? asTexts(on) : Object.keys(asRecord(on));
  const named = written.filter((event) => changes.includes(event));
  if (named.length === 0)
    return { events: [], never: `starts on ${written.join(', ').slice(0, 80) || 'nothing'}, never on a change` };
  const reasons = named.map((event) => filteredOut(asRecord(asRecord(on)[event]), tree));
  const events = named.filter((_, index) => reasons[index] === null);
  return { events, never: events.length > 0 ? null : (reasons.find((reason) => reason !== null) ?? null) };
}

/** Why the filters of an event let no change through; null where they do. */
function filteredOut(filters: Json, { paths, branch }: Tree): string | null {
  const branches = filters['branches'] === undefined ? null : asTexts(filters['branches']);
  const hasTagsOnly = filters['tags'] !== undefined && branches === null && filters['branches-ignore'] === undefined;
  if (hasTagsOnly) return 'starts on tags only';
  const candidates = [...(branch === null ? [] : [branch]), ...triesOnBranches];
  if (branches && !branches.some((pattern) => reachesBranch(pattern, branches, candidates, branch)))
    return `starts on no branch that is there (${branches.join(', ').slice(0, 80)})`;
  const ignored = asTexts(filters['branches-ignore']);
  if (ignored.length > 0 && candidates.every((name) => isMatched(name, ignored))) return 'ignores every branch';
  const types = filters['types'] === undefined ? null : asTexts(filters['types']);
  if (
    types &&
    !types.some((type) => /^(opened|synchronize|reopened|edited|labeled|ready_for_review|checks_requested)$/.test(type))
  )
    return `starts on ${types.join(', ').slice(0, 80)} only`;
  const wanted = asTexts(filters['paths']);
  if (wanted.length > 0 && isQuick(wanted, paths) && !paths.some((path) => isMatched(path, wanted)))
    return `starts on paths that are not there (${wanted.join(', ').slice(0, 80)})`;
  const unwanted = asTexts(filters['paths-ignore']);
  if (unwanted.length > 0 && isQuick(unwanted, paths) && paths.every((path) => isMatched(path, unwanted)))
    return 'ignores every path';
  return null;
}

/** Beyond, nobody asks: a filter is taken to let changes through. */
const maxMatches = 200_000;
const isQuick = (patterns: readonly string[], paths: readonly string[]) => patterns.length * paths.length <= maxMatches;

function reachesBranch(
  pattern: string,
  all: readonly string[],
  candidates: readonly string[],
  branch: string | null,
): boolean {
  if (pattern.startsWith('!')) return false;
  if (!/[*?+[\]]/.test(pattern)) return isPlausibleBranch(pattern, branch) && isMatched(pattern, all);
  if (candidates.some((name) => isMatched(name, [pattern]))) return candidates.some((name) => isMatched(name, all));
  return usual.test(pattern.slice(0, maxGlobLength).replaceAll(/[*?+[\]]+/g, '1'));
}

/** GitHub's rule: the last pattern that matches decides, and one with `!` takes out. */
function isMatched(name: string, patterns: readonly string[]): boolean {
  let matched = false;
  for (const pattern of patterns) {
    const isNegative = pattern.startsWith('!');
    if (isGlobOf(isNegative ? pattern.slice(1) : pattern, name)) matched = !isNegative;
  }
  return matched;
}

/** A part of a pattern: the characters it takes, whether again and again, and how far one may go on without it. */
interface Part {
  takes(character: string): boolean;
  repeats: boolean;
  skips: number;
}

/** `*` within a name, `**` over folders, `?` and `+` for what stands before them, `[…]`; in time by pattern times name. */
function isGlobOf(pattern: string, name: string): boolean {
  const parts = partsOf(pattern.slice(0, maxGlobLength));
  const further = (from: ReadonlySet<number>) => {
    const all = new Set(from);
    for (const at of all) {
      const skips = parts[at]?.skips ?? 0;
      if (skips > 0) all.add(at + skips);
      // What repeats may end.
      if (parts[at]?.repeats) all.add(at + 1);
    }
    return all;
  };
  let states = further(new Set([0]));
  for (const character of name) {
    const next = new Set<number>();
    for (const at of states) {
      const part = parts[at];
      if (part?.takes(character)) next.add(part.repeats ? at : at + 1);
    }
    states = further(next);
    if (states.size === 0) return false;
  }
  return states.has(parts.length);
}

const maxGlobLength = 200;

function partsOf(pattern: string): Part[] {
  const parts: Part[] = [];
  for (const [sign] of pattern.matchAll(/\*\*\/|\*\*|\[[\w-]{1,40}\]|[^]/g)) {
    const last = parts.at(-1);
    if (sign === '**/') {
      parts.push({ takes: () => true, repeats: true, skips: 2 });
      parts.push({ takes: (character) => character === '/', repeats: false, skips: 0 });
    } else if (sign === '**') parts.push({ takes: () => true, repeats: true, skips: 0 });
    else if (sign === '*') parts.push({ takes: (character) => character !== '/', repeats: true, skips: 0 });
    else if (sign === '?' && last) last.skips = 1;
    else if (sign === '+' && last) parts.push({ takes: last.takes, repeats: true, skips: 0 });
    else if (sign.length > 1) {
      const isOne = setOf(sign.slice(1, -1));
      parts.push({ takes: isOne, repeats: false, skips: 0 });
    } else parts.push({ takes: (character) => character === sign, repeats: false, skips: 0 });
  }
  return parts;
}

/** `a-z0-9_`. */
function setOf(written: string): (character: string) => boolean {
  const ranges = [...written.matchAll(/(.)-(.)|(.)/g)].map(
    ([, from, to, one]) => [from ?? one ?? '', to ?? one ?? ''] as const,
  );
  return (character) => ranges.some(([from, to]) => character >= from && character <= to);
}

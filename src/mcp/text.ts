import type { PathAnswer } from '../graph/path.ts';
import type { SearchAnswer } from '../search/routes.ts';

/** A node as the API tells of it, in a search or in the graph. */
type Node = SearchAnswer['items'][number] | PathAnswer['nodes'][number];
type Edge = PathAnswer['edges'][number];

/** What an answer may take of an agent's context. */
const maxCharacters = 8_000;
const maxDoc = 160;

/** As much as fits, in whole lines; and how to ask for less, where that is not all. */
export function brief(text: string): string {
  if (text.length <= maxCharacters) return text;
  const kept = text.slice(0, text.lastIndexOf('\n', maxCharacters) + 1) || text.slice(0, maxCharacters);
  const left = text.slice(kept.length).split('\n').length;
  return `${kept}… ${left} more lines: ask for less.`;
}

/** So many more places of a declared name, or overloads, are said. */
const maxPlaces = 4;

/** One line of a node, declared name or file: what it is, where it is, what to ask for. */
export function nodeLine(node: Node): string {
  const { id, type, name, qualified_name, kind, language, repository, path, line, doc } = node;
  const signature = 'signature' in node ? node.signature : null;
  const declared = 'declared' in node ? node.declared : null;
  const overloads = 'overloads' in node ? node.overloads : null;
  if ('commit' in node && node.commit !== null) return commitLine(node, node.commit);
  const place = path ? ` at ${repository ? `${repository}: ` : ''}${path}${line ? `:${line}` : ''}` : '';
  const what = [kind && kind.toLowerCase() !== type.toLowerCase() ? kind : null, language].filter(Boolean).join(', ');
  return [
    `- ${type} ${qualified_name ?? name}${what ? ` (${what})` : ''}${place}${declared === null && type !== 'File' ? ` [id: ${id}]` : ''}`,
    ...(declared !== null && declared.count > 1 ? [`  also at ${placesAfterFirst(declared)}`] : []),
    ...(overloads !== null ? [`  also, of the same name: ${overloadsOf(overloads)}`] : []),
    ...(signature ? [`  ${oneLine(signature)}`] : []),
    ...(doc ? [`  ${oneLine(doc)}`] : []),
  ].join('\n');
}

/** So many files, and functions or classes, of a commit are said. */
const maxChanged = 5;

/** One line of a commit: what it says, whose and when, and what it changed. */
function commitLine(
  { name, repository, doc }: Node,
  { id, author, authored_at, files, total_files, symbols }: NonNullable<SearchAnswer['items'][number]['commit']>,
): string {
  const named = files.slice(0, maxChanged).map(({ path, now }) => (now === null ? path : `${path} (now ${now})`));
  const left = total_files - named.length;
  return [
    `- Commit ${oneLine(name)} (${author.name}, ${authored_at.slice(0, 10)}) in ${repository} [commit: ${id}]`,
    ...(doc ? [`  ${oneLine(doc)}`] : []),
    ...(named.length > 0 ? [`  changed ${named.join(', ')}${left > 0 ? ` and ${left} more` : ''}`] : []),
    ...(symbols.length > 0
      ? [
          `  wrote lines of ${symbols
            .slice(0, maxChanged)
            .map((symbol) => symbol.id)
            .join(', ')}`,
        ]
      : []),
  ].join('\n');
}

function placesAfterFirst({ count, places }: NonNullable<SearchAnswer['items'][number]['declared']>): string {
  const said = places.slice(1, 1 + maxPlaces).map((each) => `${each.path}:${each.line}`);
  const left = count - 1 - said.length;
  return `${said.join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}

function overloadsOf({ count, places }: NonNullable<SearchAnswer['items'][number]['overloads']>): string {
  const said = places.slice(0, maxPlaces).map(({ id, line }) => `${line === null ? '' : `line ${line} `}[id: ${id}]`);
  const left = count - said.length;
  return `${said.join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}

/** One line of an edge. */
export const edgeLine = ({ type, from, to, weight }: Edge): string =>
  `- ${from} ${type} ${to}${weight > 1 ? ` (${weight})` : ''}`;

/** What went wrong, in the API's own words. */
export function problemText(status: number, json: unknown): string {
  const { code, detail, title } = { ...(json as object) } as Partial<Record<'code' | 'detail' | 'title', string>>;
  return `${detail ?? title ?? 'It failed.'} (${code ?? status})`;
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > maxDoc ? `${line.slice(0, maxDoc - 1)}…` : line;
}

import { useEffect, useRef, useState } from 'preact/hooks';
import type { HierarchyAnswer } from '../../../graph/hierarchy.ts';
import type { Api } from '../api.ts';
import { Answered } from '../components/answered.tsx';
import { format } from '../format.ts';
import { useAsked } from '../use-answer.ts';
import { hrefOfPlace } from './address.ts';

type Part = HierarchyAnswer['parts'][number];

/** How long a level that was read is shown again: each costs credits, and one looks at the files of a folder one after another. */
const maxAgeMs = 5 * 60_000;
const maxLevels = 200;
const levelsOf = new WeakMap<Api, Map<string, { level: HierarchyAnswer; readAt: number }>>();

async function levelOf(api: Api, repository: string, at: string | null, signal: AbortSignal): Promise<HierarchyAnswer> {
  const known = levelsOf.get(api) ?? new Map<string, { level: HierarchyAnswer; readAt: number }>();
  levelsOf.set(api, known);
  const key = `${repository}/${at ?? ''}`;
  const before = known.get(key);
  if (before !== undefined && performance.now() - before.readAt < maxAgeMs) return before.level;
  const path = `/api/graph/hierarchy/${encodeURIComponent(repository)}` as const;
  const level = await api.get<HierarchyAnswer>(path, { at }, signal);
  if (known.size >= maxLevels) known.clear();
  known.set(key, { level, readAt: performance.now() });
  return level;
}

/** Where one is: the folders on the way to a file, open, with what else is in them. All of it comes at once, so that nothing jumps. */
export function FileTree({ api, repository, path, withBlame }: Around) {
  const asked = useAsked(
    api,
    async (signal) => {
      const levels: HierarchyAnswer[] = [];
      for (let at: string | null = null; ;) {
        const level: HierarchyAnswer = await levelOf(api, repository, at, signal);
        levels.push(level);
        const next = level.parts.find(({ kind, id }) => kind === 'folder' && path.startsWith(id));
        if (next === undefined) return levels;
        at = next.id;
      }
    },
    `${repository} ${path}`,
  );
  return (
    <nav class="file-tree" aria-label="Files">
      <Answered asked={asked} lines={12}>
        {([level, ...inner]) =>
          level !== undefined && (
            <Level api={api} level={level} inner={inner} repository={repository} path={path} withBlame={withBlame} />
          )
        }
      </Answered>
    </nav>
  );
}

interface Around {
  api: Api;
  repository: string;
  /** Of the file that is looked at. */
  path: string;
  /** Whether who wrote its lines stands beside them. */
  withBlame: boolean;
}

/** What is in a folder; `inner`: the levels below, on the way to the file. */
function Level({ level, inner, ...around }: Around & { level: HierarchyAnswer; inner: readonly HierarchyAnswer[] }) {
  const { parts, total_parts: total } = level;
  const places = parts.filter(({ kind }) => kind === 'folder' || kind === 'file').toSorted(byName);
  const { path } = around;
  const isHere = inner.length === 0 && path.startsWith(level.at);
  return (
    <ul>
      {/* What defines nothing is not in the hierarchy. */}
      {isHere && places.every((each) => each.path !== path) && (
        <li>
          <FileLink {...around} name={path.slice(level.at.length)} at={path} />
        </li>
      )}
      {places.map((part) => (
        <li key={part.id}>
          {part.kind === 'file' ? (
            <FileLink {...around} name={part.name} at={part.path} />
          ) : (
            <Folder {...around} part={part} inner={path.startsWith(part.id) ? inner : []} />
          )}
        </li>
      ))}
      {total > parts.length && <li class="quiet">and {format.whole(total - parts.length)} smaller</li>}
    </ul>
  );
}

const byName = (a: Part, b: Part) =>
  Number(a.kind === 'file') - Number(b.kind === 'file') || (a.name < b.name ? -1 : 1);

function FileLink({ repository, path, withBlame, name, at }: Around & { name: string; at: string }) {
  const link = useRef<HTMLAnchorElement>(null);
  const isCurrent = at === path;
  useEffect(() => {
    const tree = link.current?.closest('nav');
    if (isCurrent && link.current && tree) tree.scrollTop = link.current.offsetTop - tree.clientHeight / 2;
  }, [isCurrent]);
  return (
    <a ref={link} href={hrefOfPlace(repository, at, null, withBlame)} aria-current={isCurrent ? 'page' : undefined}>
      {name}
    </a>
  );
}

function Folder({ part, inner, ...around }: Around & { part: Part; inner: readonly HierarchyAnswer[] }) {
  const [isOpen, setOpen] = useState(inner.length > 0);
  const [known, ...below] = inner;
  return (
    <>
      <button type="button" class="plain" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span> {part.name}
      </button>
      {isOpen && known !== undefined && <Level {...around} level={known} inner={below} />}
      {isOpen && known === undefined && <LaterLevel {...around} at={part.id} />}
    </>
  );
}

function LaterLevel({ at, ...around }: Around & { at: string }) {
  const { api, repository } = around;
  const asked = useAsked(api, (signal) => levelOf(api, repository, at, signal), `${repository} ${at}`);
  return (
    <Answered asked={asked} lines={2}>
      {(level) => <Level {...around} level={level} inner={[]} />}
    </Answered>
  );
}

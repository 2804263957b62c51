import { useEffect, useMemo } from 'preact/hooks';
import type { ImpactAnswer } from '../../../graph/impact.ts';
import type { OccurrencesAnswer } from '../../../graph/occurrences.ts';
import type { ReferencesAnswer } from '../../../graph/references.ts';
import type { LineHistoryAnswer } from '../../../source/line-history.ts';
import type { SourceAnswer } from '../../../source/routes.ts';
import type { Api } from '../api.ts';
import { fileOf, lineRange } from '../code/address.ts';
import type { LineRange } from '../code/address.ts';
import { blameOf } from '../code/blame.ts';
import { CodeBlock, codeBlock } from '../code/code-block.tsx';
import { CodeBar } from '../code/code-bar.tsx';
import { FileOutline } from '../code/file-outline.tsx';
import { FileTree } from '../code/file-tree.tsx';
import { LineHistory, useLineHistory } from '../code/line-history.tsx';
import { ReferenceTree, useReferences } from '../code/reference-tree.tsx';
import { Empty } from '../components/empty.tsx';
import { Failure } from '../components/failure.tsx';
import { Skeleton } from '../components/skeleton.tsx';
import { format } from '../format.ts';
import { lastSearch } from '../last-search.ts';
import { hrefOf, navigate } from '../router.ts';
import { kindWords, languageName } from '../words.ts';
import { useAnswer } from '../use-answer.ts';
import { useMedia } from '../use-media.ts';
import type { Asked } from '../use-answer.ts';
import type { ViewProps } from './index.ts';
import './code.css';

/** The code of a symbol with who refers to it, or a file at a line. */
export function CodeView({ api, query }: ViewProps) {
  const symbol = query.get('symbol');
  useEscape();
  const withBlame = query.get('blame') === '1';
  if (symbol !== null) return <SymbolPage key={symbol} api={api} symbol={symbol} withBlame={withBlame} />;
  const [repository, path] = [query.get('repo'), query.get('path')];
  if (repository !== null && path !== null)
    return (
      <FilePage
        key={`${repository}/${path}`}
        api={api}
        repository={repository}
        path={path}
        marked={lineRange(query.get('line'))}
        withBlame={withBlame}
      />
    );
  return (
    <Empty title="No code is named in the address" isPage>
      <p>
        <a href={hrefOf('search')}>Search for a function, a class or a file</a>
      </p>
    </Empty>
  );
}

/** Back to what was searched for. */
function useEscape(): void {
  useEffect(() => {
    const listen = ({ key, defaultPrevented, target }: KeyboardEvent) => {
      const isElsewhere = target instanceof Element && target.closest('dialog, input, select') !== null;
      if (key === 'Escape' && !defaultPrevented && !isElsewhere)
        navigate({ view: 'search', query: Object.fromEntries(new URLSearchParams(lastSearch.query)) });
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
}

/** Who comes here by keys goes on in the code. */
function useFocusOn(source: SourceAnswer | null): void {
  const isThere = source !== null;
  useEffect(() => {
    if (isThere) document.getElementById(codeBlock)?.focus({ preventScroll: true });
  }, [isThere]);
}

const sourceOf = (repository: string) => `/api/source/${encodeURIComponent(repository)}` as const;
const useOccurrences = (api: Api, file: { repository: string; path: string } | null) =>
  useAnswer<OccurrencesAnswer>(
    api,
    file === null ? null : `/api/graph/occurrences/${encodeURIComponent(file.repository)}`,
    { path: file?.path },
  );

function NoSuchSymbol({ message, name }: { message: string; name: string }) {
  return (
    <Empty title="There is no such symbol" isPage>
      <p>{message}</p>
      <p>
        <a href={hrefOf('search', { q: name })}>Search for it</a>
      </p>
    </Empty>
  );
}

/** A symbol by its id: all that is shown is asked for at once, and shown together, so that nothing jumps. */
function SymbolPage({ api, symbol, withBlame }: { api: Api; symbol: string; withBlame: boolean }) {
  const file = fileOf(symbol);
  const source = useAnswer<SourceAnswer>(api, file === null ? null : sourceOf(file.repository), { symbol });
  const occurrences = useOccurrences(api, file);
  const usedBy = useReferences(api, symbol, 'in');
  const uses = useReferences(api, symbol, 'out');
  const impact = useAnswer<ImpactAnswer>(api, `/api/graph/impact/${encodeURIComponent(symbol)}`, { page_size: 1 });
  const lines = useLineHistory(api, file?.repository ?? null, { symbol });
  const node = usedBy.answer?.node ?? null;
  const name = node?.qualified_name ?? node?.name ?? symbol.slice(symbol.indexOf('#') + 1);
  useEffect(() => {
    document.title = `${name} - Repository Intelligence`;
  }, [name]);
  const isThere = [source, usedBy, uses, lines].every(({ isLoading }) => !isLoading);
  useFocusOn(isThere ? source.answer : null);
  if (usedBy.error?.status === 404) return <NoSuchSymbol message={usedBy.error.message} name={name} />;
  return (
    <article class="wide symbol">
      <header>
        <p class="quiet">
          {node === null
            ? 'Code'
            : [languageName(node.language), kindWords(node.kind ?? node.type)].filter(Boolean).join(' ')}
        </p>
        <h1>
          <bdi>{breakable(name)}</bdi>
        </h1>
      </header>
      {file !== null && (
        <CodeBar {...file} lines={lineRange(String(node?.line))} source={source.answer} withBlame={withBlame} />
      )}
      {isThere && node?.doc && <p class="doc">{node.doc}</p>}
      {isThere ? (
        <div class="columns">
          <Files api={api} file={file} withBlame={withBlame} />
          <section aria-label="Code">
            <Source
              asked={source}
              occurrences={occurrences.answer}
              marked={null}
              history={withBlame ? lines.answer : null}
              label={`Code of ${name}`}
            />
          </section>
          <div class="around">
            <References api={api} symbol={symbol} usedBy={usedBy.answer} uses={uses.answer} impact={impact.answer} />
            {source.answer !== null && (
              <section aria-label="History">
                <h2>History of these lines</h2>
                <LineHistory asked={lines} />
              </section>
            )}
          </div>
        </div>
      ) : (
        <Skeleton lines={20} />
      )}
    </article>
  );
}

/** Who refers to it, with how far a change reaches, and what it refers to. */
function References({
  api,
  symbol,
  usedBy,
  uses,
  impact,
}: {
  api: Api;
  symbol: string;
  usedBy: ReferencesAnswer | null;
  uses: ReferencesAnswer | null;
  impact: ImpactAnswer | null;
}) {
  return (
    <>
      <section aria-label="Used by">
        <h2>Used by</h2>
        <Reach impact={impact} />
        <ReferenceTree api={api} id={symbol} direction="in" given={usedBy} none="Nothing that is known refers to it." />
      </section>
      <section aria-label="Uses">
        <h2>Uses</h2>
        <ReferenceTree api={api} id={symbol} direction="out" given={uses} none="It refers to nothing that is known." />
      </section>
    </>
  );
}

/** How far a change reaches; the tree below has the ways. */
function Reach({ impact }: { impact: ImpactAnswer | null }) {
  if (impact?.total_affected === 0) return null;
  // Room for it, until it is known.
  if (impact === null) return <p class="reach">&nbsp;</p>;
  return (
    <p class="quiet reach">
      A change affects {format.count(impact.total_affected, 'symbol')}:{' '}
      {impact.by_depth
        .filter(({ count }) => count > 0)
        .map(({ depth, count }) => `${format.whole(count)} ${depth === 1 ? 'directly' : `in ${depth} steps`}`)
        .join(', ')}
      .
    </p>
  );
}

/** A long name is broken between its words, where the line is too short for it. */
const breakable = (name: string) =>
  name
    .split(/(?<=[._:#/])(?=[^._:#/])|(?<=[a-z])(?=[A-Z])/)
    .flatMap((word, index) => (index === 0 ? word : [<wbr key={index} />, word]));

function FilePage({
  api,
  repository,
  path,
  marked,
  withBlame,
}: {
  api: Api;
  repository: string;
  path: string;
  marked: LineRange | null;
  withBlame: boolean;
}) {
  const source = useAnswer<SourceAnswer>(api, sourceOf(repository), { path });
  const occurrences = useOccurrences(api, { repository, path });
  const lines = useLineHistory(api, repository, { path });
  useEffect(() => {
    document.title = `${path} - Repository Intelligence`;
  }, [path]);
  // The code is shown with its names linked, and what stands under it with it, so that nothing jumps.
  const isThere = !source.isLoading && !occurrences.isLoading;
  useFocusOn(isThere ? source.answer : null);
  return (
    <article class="wide symbol">
      <header>
        <p class="quiet">{[source.answer?.language, 'file'].filter(Boolean).join(' ')}</p>
        <h1>
          <bdi>{path.split('/').at(-1)}</bdi>
        </h1>
      </header>
      <CodeBar repository={repository} path={path} lines={marked} source={source.answer} withBlame={withBlame} />
      <div class="columns">
        <Files api={api} file={isThere ? { repository, path } : null} withBlame={withBlame} />
        <section aria-label="Code">
          <Source
            asked={isThere ? source : { ...source, answer: null }}
            occurrences={occurrences.answer}
            marked={marked}
            history={withBlame ? lines.answer : null}
            label={`Code of ${path}`}
          />
        </section>
        {isThere && (
          <div class="around">
            <FileOutline repository={repository} path={path} definitions={occurrences.answer?.definitions ?? []} />
            {source.answer !== null && (
              <section aria-label="History">
                <h2>History of these lines</h2>
                <LineHistory asked={lines} />
              </section>
            )}
          </div>
        )}
      </div>
    </article>
  );
}

function Source({
  asked: { answer, error, again },
  occurrences,
  marked,
  history,
  label,
}: {
  asked: Asked<SourceAnswer>;
  occurrences: OccurrencesAnswer | null;
  marked: LineRange | null;
  /** To tell of each line who wrote it; null where that is not asked for. */
  history: LineHistoryAnswer | null;
  label: string;
}) {
  const blame = useMemo(() => history && blameOf(history), [history]);
  if (error?.status === 404)
    return (
      <Empty title="There is no code to show">
        <p>{error.message}</p>
      </Empty>
    );
  if (error !== null) return <Failure error={error} again={again} />;
  if (answer === null) return <Skeleton lines={20} />;
  const last = answer.lines.at(-1)?.line ?? 0;
  return (
    <>
      <CodeBlock source={answer} occurrences={occurrences} marked={marked} blame={blame} label={label} />
      {answer.lines.length === 5_000 && last < answer.line_count && (
        <p class="quiet">The file has {format.count(answer.line_count, 'line')}; the rest is not shown.</p>
      )}
    </>
  );
}

/** What is beside a file, where there is room for it. */
function Files({
  api,
  file,
  withBlame,
}: {
  api: Api;
  file: { repository: string; path: string } | null;
  withBlame: boolean;
}) {
  const hasRoom = useMedia('(min-width: 80rem)');
  if (!hasRoom) return null;
  return <div class="files">{file !== null && <FileTree api={api} {...file} withBlame={withBlame} />}</div>;
}

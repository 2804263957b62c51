import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { OccurrencesAnswer } from '../../../graph/occurrences.ts';
import type { SourceAnswer } from '../../../source/routes.ts';
import { More } from '../components/more.tsx';
import { hrefOf, navigate } from '../router.ts';
import { hrefOfPlace, isWithin, rangeText } from './address.ts';
import type { LineRange } from './address.ts';
import type { Blame } from './blame.ts';
import { highlight, plain } from './highlight.ts';
import type { Token } from './highlight.ts';
import { linkNames } from './link-names.ts';

/** So many lines are shown at once; more come as one gets there. */
const linesAtOnce = 600;

/** Where who comes by keys goes on. */
export const codeBlock = 'code';

/** Source with the numbers of its lines; names lead to what they stand for. */
export function CodeBlock({
  source,
  occurrences,
  marked,
  blame,
  label,
}: {
  source: SourceAnswer;
  /** Null until they are known. */
  occurrences: OccurrencesAnswer | null;
  /** The lines that are spoken of. */
  marked: LineRange | null;
  /** Who wrote each line; null where that is not shown. */
  blame: ReadonlyMap<number, Blame> | null;
  label: string;
}) {
  const lines = useMemo(() => source.lines.map(({ text }) => text), [source]);
  const firstLine = source.lines[0]?.line ?? 1;
  const { tokens, isColored } = useTokens(lines, source.language);
  const linked = useMemo(
    () => linkNames(tokens, firstLine, occurrences ?? { definitions: [], references: [] }),
    [tokens, firstLine, occurrences],
  );
  const spokenOf = marked?.from ?? null;
  const start = Math.max(0, (spokenOf ?? firstLine) - firstLine - 200);
  const [end, setEnd] = useState(start + linesAtOnce);
  const [begin, setBegin] = useState(start);
  const place = useRef<HTMLPreElement>(null);
  // What is in the document already stays there, so that a line that is clicked stays where it is.
  const isIn = spokenOf === null || (spokenOf >= firstLine + begin && spokenOf < firstLine + end);
  useEffect(() => {
    if (isIn) return;
    setBegin(start);
    setEnd(start + linesAtOnce);
  }, [source, start, isIn]);
  useEffect(() => {
    const line = place.current?.querySelector('.marked');
    if (line && !isInSight(line)) line.scrollIntoView({ block: 'center' });
  }, [source, spokenOf, begin]);
  return (
    <div class={blame === null ? 'code' : 'code with-blame'}>
      {begin > 0 && (
        <button type="button" onClick={() => setBegin(0)}>
          Show the lines before
        </button>
      )}
      <pre ref={place} id={codeBlock} tabIndex={0} aria-label={label}>
        {/* Made anew with its colours: text that is taken over into other places counts as text that jumps. */}
        <code key={isColored}>
          {linked.slice(begin, end).map((line, index) => {
            const number = firstLine + begin + index;
            return (
              <span key={number} class={isWithin(marked, number) ? 'line marked' : 'line'} data-line={number}>
                {blame !== null && <Margin blame={blame.get(number)} />}
                <LineNumber {...source} number={number} spokenOf={spokenOf} withBlame={blame !== null} />
                {line.map(({ text, kind, symbol }, place) =>
                  symbol === undefined ? (
                    kind === '' ? (
                      text
                    ) : (
                      <span key={place} class={kind}>
                        {text}
                      </span>
                    )
                  ) : (
                    <a
                      key={place}
                      class={`${kind}${symbol.isDefinition ? ' definition' : ''}`}
                      href={hrefOf('code', { symbol: symbol.id })}
                      title={symbol.title}
                    >
                      {text}
                    </a>
                  ),
                )}
                {'\n'}
              </span>
            );
          })}
        </code>
      </pre>
      <More left={linked.length - end} show={() => setEnd(end + linesAtOnce)} />
    </div>
  );
}

/** What is above and below, the page’s own bars, counts as out of sight. */
function isInSight(line: Element): boolean {
  const { top, bottom } = line.getBoundingClientRect();
  const pane = line.closest('pre')?.getBoundingClientRect();
  return top > Math.max(100, pane?.top ?? 0) && bottom < Math.min(innerHeight, pane?.bottom ?? innerHeight);
}

/** Leads to the line, for who wants to pass that on; with the shift key to all from the line that is spoken of. Keys pass it by. */
function LineNumber({
  repository,
  path,
  number,
  spokenOf,
  withBlame,
}: {
  repository: string;
  path: string;
  number: number;
  spokenOf: number | null;
  withBlame: boolean;
}) {
  return (
    <a
      class="number"
      href={hrefOfPlace(repository, path, number, withBlame)}
      tabIndex={-1}
      aria-label={`Line ${number}`}
      data-line={number}
      onClick={(event) => {
        if (!event.shiftKey || spokenOf === null) return;
        event.preventDefault();
        const line = rangeText({ from: Math.min(spokenOf, number), to: Math.max(spokenOf, number) });
        navigate({ view: 'code', query: { repo: repository, path, line, blame: withBlame ? 1 : null } });
      }}
    />
  );
}

/** Who wrote the line, beside it; not part of the text, so that it is not copied. */
function Margin({ blame }: { blame: Blame | undefined }) {
  if (blame === undefined) return <span class="blame" data-says="" />;
  const { says, title, url, recency } = blame;
  const shown = { class: 'blame', 'data-says': says, title, style: { '--recency': `${Math.round(100 * recency)}%` } };
  return url === null || says === '' ? (
    <span {...shown} />
  ) : (
    <a {...shown} href={url} rel="noreferrer" target="_blank" tabIndex={-1} aria-label={title} />
  );
}

/** In colours once they are known, and at once without. */
function useTokens(lines: readonly string[], language: string | null): { tokens: Token[][]; isColored: boolean } {
  const [colored, setColored] = useState<{ lines: readonly string[]; tokens: Token[][] } | null>(null);
  useEffect(() => {
    let isWanted = true;
    highlight(lines, language).then(
      (tokens) => isWanted && setColored({ lines, tokens }),
      // Without colours it is the same code.
      () => {},
    );
    return () => {
      isWanted = false;
    };
  }, [lines, language]);
  const isColored = colored?.lines === lines;
  const tokens = useMemo(() => (colored?.lines === lines ? colored.tokens : plain(lines)), [colored, lines]);
  return { tokens, isColored };
}

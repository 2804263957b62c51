import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { OccurrencesAnswer } from '../../../graph/occurrences.ts';
import type { SourceAnswer } from '../../../source/routes.ts';
import { More } from '../components/more.tsx';
import { hrefOf } from '../router.ts';
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
  label,
}: {
  source: SourceAnswer;
  /** Null until they are known. */
  occurrences: OccurrencesAnswer | null;
  /** The line that is spoken of. */
  marked: number | null;
  label: string;
}) {
  const lines = useMemo(() => source.lines.map(({ text }) => text), [source]);
  const firstLine = source.lines[0]?.line ?? 1;
  const { tokens, isColored } = useTokens(lines, source.language);
  const linked = useMemo(
    () => linkNames(tokens, firstLine, occurrences ?? { definitions: [], references: [] }),
    [tokens, firstLine, occurrences],
  );
  const start = Math.max(0, (marked ?? firstLine) - firstLine - 200);
  const [end, setEnd] = useState(start + linesAtOnce);
  const [begin, setBegin] = useState(start);
  const place = useRef<HTMLPreElement>(null);
  useEffect(() => {
    setBegin(start);
    setEnd(start + linesAtOnce);
  }, [source, start]);
  useEffect(() => {
    place.current?.querySelector('.marked')?.scrollIntoView({ block: 'center' });
  }, [source, marked, begin]);
  return (
    <div class="code">
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
              <span key={number} class={number === marked ? 'line marked' : 'line'} data-line={number}>
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

import { useState } from 'preact/hooks';
import type { TextSearchAnswer } from '../../../search/text-routes.ts';
import { hrefOfNode, hrefOfPlace } from '../code/address.ts';
import { Highlighted } from '../components/highlighted.tsx';
import { format } from '../format.ts';
import { hrefOf } from '../router.ts';

type File = TextSearchAnswer['items'][number];

/** `151 lines in 33 files`, and what of it was left out. */
export function CodeHitsTotal({ answer }: { answer: TextSearchAnswer }) {
  const { total, total_lines: lines, complete, hints, without_source: without } = answer;
  return (
    <>
      <p class="quiet" role="status">
        {complete ? '' : 'At least '}
        {format.count(lines, 'line')} in {format.count(total, 'file')}
        {complete ? '' : '; count:all looks for more'}
      </p>
      {hints.map((hint) => (
        <p key={hint} class="quiet">
          {hint}
        </p>
      ))}
      {without.length > 0 && (
        <p class="quiet">The source of {without.join(', ')} is not kept, so nothing in it can be found.</p>
      )}
    </>
  );
}

/** Lines of code that were found, by file; each leads to where it stands. */
export function CodeHits({ files }: { files: readonly File[] }) {
  // Another search may find other lines in the same file.
  const keyOf = ({ repository, path, lines }: File) =>
    `${repository}/${path} ${lines.map(({ line }) => line).join(' ')}`;
  return files.map((file) => <FileHits key={keyOf(file)} file={file} />);
}

/** So many lines of a file are shown at first, so that several files are in sight; where only a few are left, those as well. */
const linesAtOnce = 6;
const fewLeft = 2;

function FileHits({ file }: { file: File }) {
  const { repository, path, lines, line_count: count, test, left_out: leftOut } = file;
  const [isAsked, setAsked] = useState(false);
  const isWhole = isAsked || lines.length <= linesAtOnce + fewLeft;
  const shown = isWhole ? lines : lines.slice(0, linesAtOnce);
  const indent = Math.min(...lines.map(indentOf));
  return (
    <li class="code-hits">
      <div class="what">
        <a href={hrefOfPlace(repository, path, lines[0]?.line ?? null)}>{path}</a>
        <span class="quiet">
          {[repository, test && 'test', leftOut && 'not part of the graph'].filter(Boolean).join(', ')}
        </span>
      </div>
      <ol>
        {shown.map(({ line, text, ranges, symbol }) => (
          <li key={line} value={line}>
            <a class="hit" href={hrefOfPlace(repository, path, line)}>
              <span class="number">{line}</span>
              <code>
                <Highlighted
                  text={text.slice(indent)}
                  ranges={ranges.map((range) => range.map((bound) => bound - indent))}
                />
              </code>
            </a>
            {symbol !== null && (
              <a class="around-hit" href={hrefOfNode({ ...symbol, repository })}>
                {symbol.qualified_name ?? symbol.name}
              </a>
            )}
          </li>
        ))}
      </ol>
      {!isWhole && (
        <p>
          <button type="button" class="plain more-hits" onClick={() => setAsked(true)}>
            {format.count(lines.length - linesAtOnce, 'line')} more
          </button>
        </p>
      )}
      {isWhole && count > lines.length && (
        <p class="quiet">
          <a href={hrefOfPlace(repository, path, lines.at(-1)?.line ?? null)}>
            {format.count(count - lines.length, 'line')} more
          </a>
        </p>
      )}
    </li>
  );
}

/** What all lines begin with says nothing of them; what was found is never cut. */
const indentOf = ({ text, ranges }: File['lines'][number]) =>
  Math.min(text.length - text.trimStart().length, ...ranges.flat());

/** Where is looked: what is declared and was done, or each line of each file. */
export function SearchKinds({ isCode, query }: { isCode: boolean; query: string }) {
  return (
    <nav class="tabs" aria-label="What is searched">
      <a href={hrefOf('search', { q: query })} aria-current={isCode ? undefined : 'page'}>
        Symbols, files, commits
      </a>
      <a href={hrefOf('search', { q: query, in: 'code' })} aria-current={isCode ? 'page' : undefined}>
        Lines of code
      </a>
    </nav>
  );
}

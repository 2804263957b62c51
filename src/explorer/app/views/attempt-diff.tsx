import { useMemo } from 'preact/hooks';
import type { KeptText } from '../../../model/evaluation-attempt.ts';
import { format } from '../format.ts';
import { compareFiles } from './attempt-files.ts';
import type { Cell, ComparedFile } from './attempt-files.ts';
import { PatchText } from './benchmark-patch.tsx';

/** Files with more lines are closed until they are asked for. */
const maxOpenRows = 1_500;

const sides = { attempt: 'Attempt', fix: 'Fix' } as const;

/** A patch beside the fix, file by file, line of the base by line of the base; alone where the fix is not known. */
export function AttemptDiff({ attempt, fix }: { attempt: KeptText | null; fix: string | null }) {
  const files = useMemo(() => compareFiles(wholeFiles(attempt), fix ?? ''), [attempt, fix]);
  const cut = attempt?.cut ?? null;
  return (
    <>
      {cut !== null && (
        <p>
          {format.whole(cut.bytes)} bytes at the end of its patch were not kept; the file at which it was cut is left
          out here.
        </p>
      )}
      {files === null ? (
        <>
          <p class="quiet">It is no patch that can be read line by line, so it is shown as it was answered.</p>
          <div class="beside">
            <Raw title={sides.attempt} patch={attempt?.text ?? ''} />
            {fix !== null && <Raw title={sides.fix} patch={fix} />}
          </div>
        </>
      ) : (
        <>
          {fix !== null && <p class="quiet">{inShort(files)}</p>}
          {files.map((file) => (
            <File key={file.path} file={file} isAlone={fix === null} />
          ))}
        </>
      )}
    </>
  );
}

const Raw = ({ title, patch }: { title: string; patch: string }) => (
  <div>
    <h3>{title}</h3>
    <PatchText patch={patch} label={`${title}: its patch`} />
  </div>
);

/** Of a patch that was cut, the files before the one where it was. */
function wholeFiles(patch: KeptText | null): string {
  if (patch === null) return '';
  return patch.cut === null
    ? patch.text
    : patch.text.slice(0, Math.max(0, patch.text.lastIndexOf('\ndiff --git ') + 1));
}

function inShort(files: readonly ComparedFile[]): string {
  const count = (by: ComparedFile['touchedBy']) => files.filter(({ touchedBy }) => touchedBy === by).length;
  const [both, attempt, fix] = [count('both'), count('attempt'), count('fix')];
  return [
    `${format.count(both, 'file')} changed by both`,
    ...(attempt > 0 ? [`${format.whole(attempt)} by the attempt alone`] : []),
    ...(fix > 0 ? [`${format.whole(fix)} by the fix alone`] : []),
  ].join(', ');
}

const marks = { both: 'changed by both', attempt: 'by the attempt alone', fix: 'by the fix alone' };

function File({ file, isAlone }: { file: ComparedFile; isAlone: boolean }) {
  const { path, touchedBy, isEqual, rows } = file;
  return (
    <details class="diff-file" open={rows.length <= maxOpenRows}>
      <summary>
        <code>{path}</code>{' '}
        {!isAlone && (
          <span class="mark" data-by={touchedBy}>
            {isEqual ? 'the same change' : marks[touchedBy]}
          </span>
        )}
      </summary>
      <div class={isAlone ? 'beside single' : 'beside'}>
        {(['attempt', 'fix'] as const).map((side) =>
          touchedBy === 'both' || touchedBy === side ? (
            <Pane key={side} file={file} side={side} />
          ) : (
            !isAlone && (
              <p key={side} class="quiet untouched">
                The {sides[side].toLowerCase()} does not change it.
              </p>
            )
          ),
        )}
      </div>
    </details>
  );
}

function Pane({ file: { path, rows, notes, touchedBy }, side }: { file: ComparedFile; side: keyof typeof sides }) {
  const shown = rows.map((row) => row?.[side] ?? null);
  // Beside nothing, what would only keep its place is left out.
  const cells = touchedBy === 'both' ? shown : shown.filter((cell) => cell === null || cell.isOwn);
  const [firstOwn, lastOwn] = [cells.findIndex(isOwn), cells.findLastIndex(isOwn)];
  return (
    <div>
      <h3>
        {sides[side]}
        {notes[side].length > 0 && <span class="quiet"> {notes[side].join(', ')}</span>}
      </h3>
      {cells.length > 0 && (
        // Who has no mouse scrolls it once it has the focus.
        <pre class="patch" role="region" aria-label={`${sides[side]}: ${path}`} tabIndex={0}>
          {cells.map((cell, index) => (
            <Line key={index} cell={cell} isBetweenOwn={index > firstOwn && index < lastOwn} />
          ))}
        </pre>
      )}
    </div>
  );
}

const signs: Record<Cell['kind'], string> = { same: ' ', added: '+', removed: '-', blank: ' ' };

const isOwn = (cell: Cell | null) => cell?.isOwn === true;

function Line({ cell, isBetweenOwn }: { cell: Cell | null; isBetweenOwn: boolean }) {
  if (cell === null)
    return (
      <span data-kind="gap" data-filler={isBetweenOwn ? undefined : ''}>
        ⋯{'\n'}
      </span>
    );
  const { kind, line, text } = cell;
  return (
    <span data-kind={kind} data-filler={cell.isOwn ? undefined : ''}>
      <span class="number" aria-hidden="true" data-line={line ?? ''} />
      {signs[kind]}
      {text}
      {'\n'}
    </span>
  );
}

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { KeptText } from '../../../model/evaluation-attempt.ts';
import { Answered } from '../components/answered.tsx';
import { format } from '../format.ts';
import type { Asked } from '../use-answer.ts';

/** What the tests printed, to search in; `find` is what the address looks for. */
export function AttemptLog({
  asked,
  find,
  onFind,
}: {
  asked: Asked<KeptText>;
  find: string;
  onFind: (find: string) => void;
}) {
  return (
    <section>
      <h2>Log of its tests</h2>
      <Answered asked={asked} lines={20}>
        {(log) => <Log log={log} find={find} onFind={onFind} />}
      </Answered>
    </section>
  );
}

// What colours a terminal.
const colours = new RegExp(String.raw`\u001b\[[\d;]*[A-Za-z]`, 'g');

function Log({ log: { text, cut }, find, onFind }: { log: KeptText; find: string; onFind: (find: string) => void }) {
  const lines = useMemo(() => text.replace(/\n$/, '').replaceAll(colours, '').split('\n'), [text]);
  const found = useMemo(() => {
    const wanted = find.toLowerCase();
    return wanted === '' ? [] : lines.flatMap((line, index) => (line.toLowerCase().includes(wanted) ? index : []));
  }, [lines, find]);
  const [at, setAt] = useState(0);
  const isTyped = useRef(false);
  const place = useRef<HTMLPreElement>(null);
  useEffect(() => setAt(0), [find]);
  const current = found[at];
  useEffect(() => {
    // Who types stays where he types; who follows a link to a test goes there.
    place.current?.querySelector('.current')?.scrollIntoView({ block: isTyped.current ? 'nearest' : 'center' });
    isTyped.current = false;
  }, [current, find]);
  const turn = (by: number) => found.length > 0 && setAt((at + by + found.length) % found.length);
  return (
    <>
      <form
        class="find"
        role="search"
        aria-label="Search the log"
        onSubmit={(event) => {
          event.preventDefault();
          turn(1);
        }}
      >
        <label>
          Find in the log
          <input
            type="search"
            value={find}
            onInput={({ currentTarget }) => {
              isTyped.current = true;
              onFind(currentTarget.value);
            }}
          />
        </label>
        <button type="button" disabled={found.length < 2} onClick={() => turn(-1)}>
          Previous
        </button>
        <button type="submit" disabled={found.length < 2}>
          Next
        </button>
        <span class="quiet" role="status">
          {find !== '' &&
            (found.length === 0 ? 'Not in the log' : `${at + 1} of ${format.count(found.length, 'line')}`)}
        </span>
      </form>
      <pre ref={place} class="log" role="region" aria-label="Log of its tests" tabIndex={0}>
        {cut !== null && cut.after_line === 0 && <Cut bytes={cut.bytes} />}
        {lines.map((line, index) => (
          <>
            <span
              key={index}
              class={index === current ? 'current' : undefined}
              data-found={find !== '' && line.toLowerCase().includes(find.toLowerCase()) ? '' : undefined}
              data-verdict={/^\[(PASSED|FAILED)\] /.exec(line)?.[1]?.toLowerCase()}
            >
              {line}
              {'\n'}
            </span>
            {cut !== null && cut.after_line === index + 1 && <Cut bytes={cut.bytes} />}
          </>
        ))}
      </pre>
    </>
  );
}

const Cut = ({ bytes }: { bytes: number }) => (
  <span class="cut">
    ⋯ {format.whole(bytes)} bytes are left out here{'\n'}
  </span>
);

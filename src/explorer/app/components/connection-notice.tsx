import { useEffect, useState } from 'preact/hooks';
import type { Connection } from '../api.ts';

/** Says that the service is away, and when it is asked for again. Lies over the page, so that nothing moves. */
export function ConnectionNotice({ connection }: { connection: Connection }) {
  const [now, setNow] = useState(Date.now);
  const isAway = connection.state === 'away';
  useEffect(() => {
    if (!isAway) return;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [isAway]);
  return (
    <div class="notice" role="status">
      {isAway && (
        <p>
          <strong>The service does not answer.</strong> What you see stays, and goes on by itself once it is back.{' '}
          <span aria-hidden="true">Next try in {Math.max(0, Math.ceil((connection.nextTry - now) / 1_000))} s.</span>
        </p>
      )}
    </div>
  );
}

import type { RelationalStore } from '../stores/relational/port.ts';

/** Removes what has had its time, now and every ten minutes. `stop` waits for what is under way. */
export function startHousekeeping(
  { purge }: Pick<RelationalStore, 'purge'>,
  { everyMs = 600_000, report }: { everyMs?: number; report: (error: unknown) => void },
): { stop(): Promise<void> } {
  let running = Promise.resolve();
  const clean = () => {
    running = running.then(async () => {
      await purge().catch(report);
    });
  };
  const timer = setInterval(clean, everyMs).unref();
  clean();
  return {
    stop() {
      clearInterval(timer);
      return running;
    },
  };
}

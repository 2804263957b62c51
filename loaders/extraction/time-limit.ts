/**
 * Whether more processor time of the thread that asks is used than this, in milliseconds: what is left out for taking too long does not
 * depend on what else the machine does. The thread's time is looked up only once as much has passed by the clock.
 */
export function limitTime(ms: number): () => boolean {
  const since = process.threadCpuUsage();
  const at = performance.now() + ms;
  return () => performance.now() > at && millisecondsOf(process.threadCpuUsage(since)) > ms;
}

export const millisecondsOf = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1_000;

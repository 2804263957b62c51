/** What came of it, and the milliseconds of processor time that this process needed for it, whatever else the machine does. */
export async function withCpuTime<T>(work: () => T | Promise<T>): Promise<{ value: T; ms: number }> {
  const begin = process.cpuUsage();
  const value = await work();
  const { user, system } = process.cpuUsage(begin);
  return { value, ms: (user + system) / 1_000 };
}

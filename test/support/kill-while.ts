import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/**
 * Runs an ES module in a process of its own, waits for the line `writing` on its standard output, then `delayMs`, then
 * ends it with SIGKILL. True when it was killed, false when it was done before.
 */
export async function killWhileWriting(program: string, args: readonly string[], delayMs: number): Promise<boolean> {
  const child = spawn(process.execPath, ['--eval', program, '--', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) if (line === 'writing') break;
  await new Promise((resolve) => {
    setTimeout(resolve, delayMs);
  });
  const killed = child.kill('SIGKILL');
  const [code] = (await exited) as [number | null];
  if (code !== null && code !== 0) throw new Error(`The program failed with ${code}.`);
  return killed && code === null;
}

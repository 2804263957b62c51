import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config.ts';
import { holderOf } from '../stores/data-folder-holder.ts';
import { callControl } from './call-control.ts';
import type { Io } from './io.ts';

/** Ends the process that only stays for questions, and waits until it has let go of the folder. False where another has it. */
export async function askToLeave({ dataDir }: Pick<Config, 'dataDir'>, io: Io): Promise<boolean> {
  const holder = await holderOf(dataDir);
  // What serves has an address.
  if (!holder?.control || holder.address !== null) return false;
  await callControl(holder.control, 'leave', {}, io);
  while ((await holderOf(dataDir))?.pid === holder.pid) await sleep(20);
  return true;
}

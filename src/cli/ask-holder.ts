// The process that stays behind is this very program.
// oxlint-disable no-restricted-imports
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
// oxlint-enable no-restricted-imports
import { once } from 'node:events';
import { argv, env, execPath } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config.ts';
import { holderOf } from '../stores/data-folder-holder.ts';
import { isEmbedded } from '../stores/open.ts';
import { callControl } from './call-control.ts';
import type { Io } from './io.ts';

const pollMs = 25;

/**
 * Has this done (`ask`, `get`) by the process that has the data folder open; where there is none, starts one that stays for what is
 * asked next. Where all data is on servers, does it here.
 */
export async function askHolder(config: Config, command: string, options: unknown, io: Io): Promise<unknown> {
  if (!isEmbedded(config)) return onServers(config, command, options, io);
  return askFolder(config.dataDir, command, options, io);
}

/** The same, where some of the data is in this folder. */
export async function askFolder(dataDir: string, command: string, options: unknown, io: Io): Promise<unknown> {
  let started: Started | null = null;
  let isWaiting = false;
  for (;;) {
    const holder = await holderOf(dataDir);
    if (holder?.control) {
      try {
        return await callControl(holder.control, command, options, io);
      } catch (error) {
        if (!isRefused(error)) throw error;
      }
    }
    if (started && hasEnded(started.process)) {
      // With 0 where somebody was faster, who has the folder now.
      if (started.process.exitCode !== 0)
        throw new Error(`The process for questions has ended: ${started.said().trim() || 'it was killed'}`);
      started = null;
    }
    if (!started && (holder === null || holder.control)) started = start(dataDir);
    if (holder && !holder.control && holder.pid !== started?.process.pid && !isWaiting) {
      isWaiting = true;
      io.say(`Waiting for process ${holder.pid} (${holder.command}), which has ${dataDir} …`);
    }
    await sleep(pollMs);
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;

async function onServers(config: Config, command: string, options: unknown, io: Io): Promise<unknown> {
  const { openService } = await import('./open-service.ts');
  const { runCommand } = await import('./control.ts');
  const opened = await openService(config);
  if ('held' in opened) throw new Error(opened.held.message);
  try {
    return await runCommand(opened.service, command, options, io);
  } finally {
    await opened.close();
  }
}

interface Started {
  process: ChildProcess;
  /** On its stderr. */
  said(): string;
}

function start(dataDir: string): Started {
  const child = spawn(execPath, ['--max-semi-space-size=8', argv[1] ?? '', 'stay'], {
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    // In no folder of the person's that could not be removed meanwhile.
    cwd: '/',
    env: { ...env, DATA_DIR: dataDir },
  });
  let said = '';
  child.stderr.on('data', (chunk) => (said += String(chunk)));
  child.unref();
  void once(child, 'spawn').then(() => (child.stderr as unknown as { unref(): void }).unref());
  return { process: child, said: () => said };
}

const isRefused = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';

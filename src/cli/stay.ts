import './webassembly.js';
import { once } from 'node:events';
import { Command } from 'commander';
import type { Config } from '../config.ts';
import { holderOf } from '../stores/data-folder-holder.ts';
import { askToLeave } from './ask-to-leave.ts';
import type { Io } from './io.ts';

const idleMs = 10 * 60_000;

export function stayCommand(config: Config, io: Io): Command {
  return new Command('stay')
    .description(
      'hold the data folder open for questions, until none comes for ten minutes; questions start it by themselves',
    )
    .addHelpText('after', '\nExample:\n  $ repo-intel stay &')
    .action(() => stay(config, io));
}

/** The same as its command, for which nothing else is loaded: somebody waits for it. */
export async function stayHere(): Promise<void> {
  const { readConfig } = await import('../config.ts');
  const { terminalIo } = await import('./io.ts');
  await stay(readConfig(), terminalIo());
}

async function stay(config: Config, io: Io): Promise<void> {
  const { openService } = await import('./open-service.ts');
  // What answers is loaded while the stores open; where there is nothing in them, whoever asks waits for a repository to be read.
  const loading = Promise.withResolvers<[typeof import('./control.ts'), typeof import('./keep-projections.ts')]>();
  const opened = await openService(config, ({ isNew }) => {
    if (isNew) void startThreads();
    loading.resolve(Promise.all([import('./control.ts'), import('./keep-projections.ts')]));
  });
  // Whoever has it answers.
  if ('held' in opened) return;
  const [{ openControl }, { keepProjections }] = await loading.promise;
  const { completeLoads } = await import('./complete-load.ts');
  const { service, lock } = opened;
  const ending = new AbortController();
  const end = () => ending.abort();
  let running = 0;
  const idle = setTimeout(() => (running > 0 ? idle.refresh() : end()), idleMs);
  const control = await openControl(service, {
    began: () => (running += 1),
    ended: () => {
      running -= 1;
      idle.refresh();
    },
    leave: end,
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);
  await keepProjections(service.stores, io, ending.signal);
  await lock.announce({ control: { port: control.port, token: control.token } });
  await completeLoads(service);
  if (!ending.signal.aborted) await once(ending.signal, 'abort');
  await control.close();
  await opened.close();
  // A load under way ends here, at the old snapshot.
  process.exit();
}

async function startThreads(): Promise<void> {
  (await import('../../loaders/extraction/pool.ts')).startThreads();
}

export function stopCommand(config: Config, io: Io): Command {
  return new Command('stop')
    .description('end the process that stays in the background for questions')
    .addHelpText('after', '\nExample:\n  $ repo-intel stop')
    .action(async () => {
      const holder = await holderOf(config.dataDir);
      if (!holder) return io.say('Nothing runs in the background.');
      if (holder.address !== null || !holder.control)
        throw new Error(`Process ${holder.pid} (${holder.command}) was started by hand: end it where it runs.`);
      await askToLeave(config, io);
    });
}

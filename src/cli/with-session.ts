import type { Config } from '../config.ts';
import type { Io } from './io.ts';
import type { Session } from './session-on.ts';

/** Runs a command on the stores, wherever they are open. */
export async function withSession(config: Config, io: Io, run: (session: Session) => Promise<void>): Promise<void> {
  const { openSession } = await import('./session.ts');
  const session = await openSession(config, io);
  try {
    await run(session);
  } finally {
    await session.close();
  }
}

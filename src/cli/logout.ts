import { Command } from 'commander';
import type { Config } from '../config.ts';
import { readCredentials, removeCredentials } from './credentials.ts';
import type { Io } from './io.ts';
import { endSession } from './login.ts';

export function logoutCommand({ credentialsFile: file }: Config, io: Io): Command {
  return new Command('logout')
    .description('end the session of this command line at its service, and remove its key from here')
    .addHelpText('after', '\nExample:\n  $ repo-intel logout')
    .action(async () => {
      const credentials = await readCredentials(file);
      if (!credentials) {
        io.say('This command line is not logged in.');
        return;
      }
      const { url, session_id } = credentials;
      await endSession(credentials).catch((error: Error) => {
        throw new Error(
          `${error.message} The key goes on being good there, so it is kept: try again; or let an owner end the session ${session_id} and remove ${file}.`,
          { cause: error },
        );
      });
      await removeCredentials(file);
      io.say(`Logged out of ${url}: its key is refused there and no longer here.`);
    });
}

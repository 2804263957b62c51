import type { z } from 'zod';
import type { Config } from '../config.ts';
import type { Stores } from '../stores/open.ts';
import type { Io } from './io.ts';

/** What a command works on: in the process that holds the data folder, or on servers in any. */
export interface OpenService {
  stores: Stores;
  config: Config;
  /** The secret of the API keys; throws where none is set and none can be made. */
  pepper(): Promise<string>;
}

export type StoreCommand = (service: OpenService, options: unknown, io: Io) => Promise<unknown>;

/** A command on the stores, with the schema of its options. */
export function command<T>(
  options: z.ZodType<T>,
  run: (service: OpenService, options: T, io: Io) => Promise<unknown>,
): StoreCommand {
  return (service, given, io) => run(service, options.parse(given), io);
}

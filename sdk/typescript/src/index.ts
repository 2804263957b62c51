import type { paths } from './contract.ts';
import { createClientOf, type Client, type ClientOptions } from './client.ts';

export type { components, operations, paths } from './contract.ts';
export type { ClientOptions } from './client.ts';
export * from './errors.ts';

export type RepositoryIntelligence = Client<paths>;

/** A client of a Repository Intelligence Service: every operation of its contract, by path. */
export const createClient = (options: ClientOptions): RepositoryIntelligence => createClientOf<paths>(options);

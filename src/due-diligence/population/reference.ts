import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PopulationFile } from './population-file.ts';
import { scored, type ScoredPopulation } from './scored.ts';

/** The population that comes with the program. It is our own, and need not be looked through; a package has it worked out. */
export const reference = (): ScoredPopulation =>
  scored(JSON.parse(readFileSync(join(import.meta.dirname, 'reference.json'), 'utf8')) as PopulationFile);

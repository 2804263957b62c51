import { z } from 'zod';

/** Of a backup; another is refused. */
export const backupFormat = 'repo-intel-backup/1';

/** The file in a backup that says what the others are; the last. */
export const manifestName = 'manifest.json';

/** What of a data folder a backup holds, by name; a folder is named with a slash. */
export const keptNames = { database: 'postgres/', journal: 'usage/', pepper: 'pepper' } as const;

export const manifestSchema = z.object({
  format: z.literal(backupFormat),
  /** The version of the program that made it. */
  version: z.string(),
  /** RFC 3339, UTC: what was done before is in it, and nothing that was done after. */
  made_at: z.iso.datetime(),
  /** Tells the pepper of the API keys, and nothing of it; where it is not in here, API_KEY_PEPPER must be given. */
  pepper: z.object({ id: z.string(), is_included: z.boolean() }),
  files: z.array(z.object({ name: z.string(), size: z.int().min(0), sha256: z.string() })),
});

export type Manifest = z.infer<typeof manifestSchema>;

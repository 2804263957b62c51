import { z } from 'zod';
import type { ComparedCommits } from '../../loaders/change/change-of.ts';
import { usesElsewhere } from '../../loaders/change/uses-elsewhere.ts';
import { gatherBoundary } from '../../loaders/records/boundary.ts';
import { boundariesOf } from '../../loaders/write.ts';
import { listed, type Change } from '../model/change.ts';
import { boundaryRowSchema, repositoryInfoSchema } from '../model/snapshot.ts';
import { findOrganization } from './organization-of.ts';
import { listRepositories } from './repositories.ts';
import type { Session } from './session-on.ts';
import { command } from './store-command.ts';

const sideSchema = z.object({ info: repositoryInfoSchema, rows: z.array(boundaryRowSchema) });

/** Asks what other loaded repositories use of what a change touches; where the data is. */
export const changeElsewhere = command(
  z.object({
    organization: z.string().optional(),
    /** Where the changed one lies. */
    source: z.string(),
    before: sideSchema,
    after: sideSchema,
    felt: z.array(z.tuple([z.string(), z.string().nullable()])),
  }),
  async ({ stores }, { organization, source, before, after, felt }) => {
    const found = await findOrganization(stores.relational, organization);
    const seen = found ? await listRepositories(stores.relational, found) : [];
    const others = seen.filter(({ info }) => info.source !== source && info.name !== after.info.name);
    const names = new Map(others.map(({ info, name }) => [info.name, name]));
    const side = ({ info, rows }: typeof before) => ({ info, boundary: gatherBoundary(rows) });
    const uses = await usesElsewhere(
      others.map(({ info }) => info),
      boundariesOf(stores),
      { before: side(before), after: side(after), felt: new Map(felt) },
    );
    return listed(uses.map((use) => ({ ...use, repository: names.get(use.repository) ?? use.repository })));
  },
);

/** What other repositories that an organization sees use of what changed. */
export async function askElsewhere(
  session: Pick<Session, 'run'>,
  organization: string | undefined,
  { before, after, felt, source }: Pick<ComparedCommits, 'before' | 'after' | 'felt' | 'source'>,
): Promise<Change['elsewhere']> {
  const sideOf = ({ info, boundary }: typeof before) => ({ info, rows: boundary });
  const asked = { organization, source, before: sideOf(before), after: sideOf(after), felt: [...felt] };
  return (await session.run('change.elsewhere', asked)) as Change['elsewhere'];
}

import { z } from 'zod';
import { HttpError } from '../http/errors.ts';
import type { Problem } from '../http/problems.ts';
import { Reply, route } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { changeSchema, type Change } from '../model/change.ts';
import { repositoryNotFound } from '../model/repository-not-found.ts';
import type { Names } from '../tenancy/names.ts';
import type { ViewOf } from '../tenancy/view.ts';
import { changeExample } from './example.ts';
import type { MeasureChange } from './measure.ts';

const notOwn: Problem = {
  status: 403,
  code: 'repository_not_own',
  title: 'The repository is another organization’s',
  meaning:
    'Another organization shares what it has loaded of it, which is one commit; its other commits are nobody else’s to see.',
};
const notComparable: Problem = {
  status: 422,
  code: 'commits_not_comparable',
  title: 'The two commits can’t be compared',
  meaning:
    'One of them is not in the repository, they have no commit in common, the base is the later one, or too many files differ: `detail` says which. After a minute it is looked at again.',
};
const tooMany: Problem = {
  status: 429,
  code: 'too_many_changes',
  title: 'Too many changes are being measured',
  meaning: 'Twenty changes of your organization wait to be measured. Ask again once some are done.',
};

/** So many seconds are a good time to ask again. */
const retryAfter = '2';

const measuringSchema = z
  .object({
    status: z.literal('measuring'),
    repository: z.string(),
    base: z.string().meta({ description: 'As it was asked for.' }),
    head: z.string().meta({ description: 'As it was asked for.' }),
    asked_at: z.iso.datetime().meta({ description: 'When it was first asked for; RFC 3339, UTC.' }),
  })
  .meta({ id: 'ChangeBeingMeasured' });

/** What git calls a commit by, and never takes for an option or a range. */
const commitSchema = z
  .string()
  .regex(/^\w[\w./+-]{0,254}$/)
  .refine((name) => !name.includes('..'), 'it must not have two dots in it');

/** `GET /api/changes/{repository}`: what led from one commit to another. */
export function changeRoutes(viewOf: ViewOf, measure: MeasureChange): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/changes/{repository}',
      operation_id: 'get_change',
      summary: 'What a change does',
      description:
        'What led from one commit to another: functions and classes that changed, who is affected and broken here and in other repositories, which tests reach it, findings, grades and figures before and after. The first who asks has it measured, which takes as long as a load of both commits, and is answered 202: ask again at `Location` after `Retry-After` seconds. Of two commits the answer is kept; what branches and tags stand for is looked at again after five minutes.',
      access: 'tenant',
      product: 'code-graph',
      credits: 5,
      params: { repository: z.string().meta({ description: 'Name of a repository.', examples: ['payments-api'] }) },
      query: {
        base: commitSchema.meta({
          description:
            'Branch, tag or commit that is compared with; where it has commits that the head has not, from where both parted.',
          examples: ['main'],
        }),
        head: commitSchema
          .optional()
          .meta({ description: 'Branch, tag or commit; by default the commit that is loaded.', examples: ['feature'] }),
      },
      errors: [repositoryNotFound, notOwn, notComparable, tooMany],
      response: changeSchema,
      example: changeExample,
      accepted: {
        response: measuringSchema,
        headers: { Location: 'Where to ask again.', 'Retry-After': 'Seconds after which to ask.' },
        example: {
          status: 'measuring',
          repository: 'payments-api',
          base: 'main',
          head: 'feature',
          asked_at: '2026-11-21T11:40:00.000Z',
        },
      },
      handle: async ({ caller, params, query }) => {
        const { names, snapshots } = await viewOf(caller);
        const repository = names.shownName(params.repository);
        const shown = names.shown.find(({ name }) => name === repository);
        const snapshot = shown && (await snapshots.get(repository));
        if (!snapshot)
          throw new HttpError(repositoryNotFound, {
            detail: `No repository is named ${JSON.stringify(params.repository)}.`,
          });
        if (!shown.own) throw new HttpError(notOwn);
        const { source, commit } = snapshot.info;
        const head = query.head ?? commit;
        if (head === null)
          throw new HttpError(notComparable, { detail: `${repository} is a folder without git: it has no commits.` });
        const { base } = query;
        const found = await measure({ organization: caller.organization, repository, source, base, head });
        if (found.state === 'refused') throw new HttpError(tooMany, { headers: { 'Retry-After': '30' } });
        if (found.state === 'failed') throw new HttpError(notComparable, { detail: found.error });
        if (found.state === 'measured') return seenBy(found.change, names);
        const { asked_at } = found;
        return new Reply(
          { status: 'measuring' as const, repository, base, head, asked_at },
          {
            status: 202,
            headers: {
              Location: `/api/changes/${encodeURIComponent(repository)}?${new URLSearchParams({ base, head }).toString()}`,
              'Retry-After': retryAfter,
            },
          },
        );
      },
    }),
  ];
}

/** Without the repositories that the caller doesn't see, or that were shared when it was measured and no longer are. */
function seenBy(change: Change, { shown }: Names): Change {
  const { elsewhere } = change;
  if (elsewhere === null) return change;
  const seen = new Set(shown.map(({ name }) => name));
  const items = elsewhere.items.filter(({ repository }) => seen.has(repository));
  if (items.length === elsewhere.items.length) return change;
  return { ...change, elsewhere: { total: items.length, items } };
}

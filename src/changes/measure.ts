import type { Change } from '../model/change.ts';
import { placeOf, refusalOf } from '../model/source-address.ts';
import type { JobQueue } from '../stores/jobs/port.ts';
import type { RelationalStore } from '../stores/relational/port.ts';

/** A change of one repository that somebody asks for. */
export interface WantedChange {
  organization: { id: string; slug: string };
  /** What the organization calls it. */
  repository: string;
  /** Where it was loaded from: a URL, or a path. */
  source: string;
  /** Branches, tags or commits. */
  base: string;
  head: string;
}

/** How it stands with a change. */
export type Measured =
  | { state: 'measured'; change: Change }
  | { state: 'measuring'; asked_at: string }
  | { state: 'failed'; error: string }
  /** As many wait as may. */
  | { state: 'refused' };

/** Has a change measured, once; whoever asks again gets what is known by then. */
export type MeasureChange = (wanted: WantedChange) => Promise<Measured>;

/** Of one organization. */
const maxWaiting = 20;
/** A branch or tag may lead elsewhere by then. */
const maxNamedAgeMs = 5 * 60_000;
/** What has failed may go well by then: the commit is pushed, the network is back. */
const maxFailedAgeMs = 60_000;
/** A job is asked for again after so long, as one may have been lost. */
const maxSilenceMs = 60_000;

/** Measures changes by jobs; what they find is kept by repository, commits and analyzer. */
export function measureByJobs({
  tenant,
  jobs,
  analyzer,
}: Pick<RelationalStore, 'tenant'> & {
  jobs: () => Promise<Pick<JobQueue, 'enqueue'>>;
  /** That measures; its answers are its own. */
  analyzer: string;
}): MeasureChange {
  return async ({ organization, repository, source, base, head }) => {
    const asked = { repository, base, head, analyzer };
    const known = await tenant(organization.id, ({ changes }) => changes.get(asked));
    const isFixed = isCommit(base) && isCommit(head);
    const { change = null, error = null, age_ms: age = Infinity } = known ?? {};
    if (change && (isFixed || age <= maxNamedAgeMs)) return { state: 'measured', change };
    if (error !== null && age <= maxFailedAgeMs) return { state: 'failed', error };
    if (known && known.ended_at === null && age <= maxSilenceMs)
      return { state: 'measuring', asked_at: known.asked_at };
    const taken = await tenant(organization.id, async ({ changes, sources }) => {
      if (!(await changes.ask(asked, maxWaiting))) return null;
      const row = await changes.get(asked);
      const places = (await sources.list()).items.filter(({ place }) => place === placeOf(source));
      return { askedAt: row?.asked_at ?? '', isTrusted: places.some(({ trusted }) => trusted) };
    });
    if (taken === null) return { state: 'refused' };
    await (
      await jobs()
    ).enqueue({
      kind: 'change',
      source,
      organization: organization.slug,
      repository,
      base,
      head,
      analyzer,
      // What whoever runs the service has named, or nobody else can name, may be anywhere.
      public_only: !taken.isTrusted && refusalOf(source) === null,
    });
    return { state: 'measuring', asked_at: taken.askedAt };
  };
}

/** A whole commit id: what it stands for never changes. */
const isCommit = (name: string) => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(name);

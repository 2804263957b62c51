import type { Liveness } from '../../../src/model/due-diligence.ts';
import { isVersionTag } from '../ci/release-interval-median-days.ts';
import type { MetricInput } from '../metric.ts';
import { noticesOf } from './notices.ts';

/** What tells whether anybody still looks after the repository; how long ago it was depends on the day one asks. */
export function livenessOf(input: Pick<MetricInput, 'history' | 'tags' | 'paths' | 'text'>, name: string): Liveness {
  const human = input.history?.commits.filter(({ bot }) => !bot).map(({ committedAt }) => committedAt) ?? [];
  const until = input.history?.until ?? Infinity;
  const released = input.tags.filter(({ name: tag, at }) => isVersionTag(tag) && at <= until).map(({ at }) => at);
  return {
    last_human_commit_at: newest(human),
    last_release_at: newest(released),
    notices: noticesOf(input, name),
  };
}

function newest(times: readonly number[]): string | null {
  const last = times.reduce((most, at) => Math.max(most, at), -Infinity);
  return Number.isFinite(last) ? new Date(last).toISOString() : null;
}

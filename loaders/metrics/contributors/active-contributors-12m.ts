import type { MetricSource } from '../metric.ts';
import type { SameBecause } from '../../snapshot/persons.ts';
import { sharesOf } from '../people.ts';

const sameWords: Record<SameBecause, string> = {
  same_name_same_domain: 'the same name at the same domain',
  same_name_noreply: 'the same name, and a forge’s no-reply address',
  same_name_same_mailbox: 'the same name and mailbox',
};

/** People with at least one commit of their own within twelve months (CHAOSS: active contributors). */
export const activeContributors: MetricSource = {
  id: 'active_contributors_12m',
  version: 3,
  measure(input) {
    if (input.shallow) return { value: null, reason: 'shallow_clone' };
    if (!input.history) return { value: null, reason: input.noHistory };
    const active = sharesOf(input).filter(({ bot, commits_12m: commits }) => !bot && commits > 0);
    const known = new Map(input.contributors.map((each) => [each.id, each]));
    const joined = (id: string) => {
      const { also = [], because = [] } = known.get(id) ?? {};
      return also.length === 0
        ? ''
        : `; ${also.length + 1} addresses are one person’s: ${because.map((each) => sameWords[each]).join(', ')}`;
    };
    return {
      value: active.length,
      numerator: active.length,
      evidence: active.map(({ id, name, commits_12m: commits }) => ({
        note: `${name}: ${commits} ${commits === 1 ? 'commit' : 'commits'}${joined(id)}`,
      })),
    };
  },
};

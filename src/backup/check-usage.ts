import type { EphemeralStore } from '../stores/ephemeral/port.ts';
import type { UsageLedger } from '../stores/relational/port.ts';

/** Whether the ledger of metered calls and its sums agree; `detail` and `wayOut` for people, the latter null where all is well. */
export async function checkUsage(
  ledger: UsageLedger,
  ephemeral: Pick<EphemeralStore, 'settle' | 'waiting'>,
): Promise<{ detail: string; wayOut: string | null }> {
  // What cannot be brought there now is on its way.
  const seen = await ephemeral.settle().catch(() => 'ledger' as const);
  const { calls, twice, differing } = await ledger.check();
  const problems: string[] = [];
  if (twice > 0) problems.push(`${twice} calls are in the ledger twice`);
  const [first] = differing;
  if (first)
    problems.push(
      `the sums of ${differing.length === maxDiffering ? 'many days' : differing.length} differ from the ledger: on ${first.day} ${first.operation} of ${first.organization_id} has ${first.calls_in_ledger} calls and ${first.credits_in_ledger} credits in the ledger, ${first.calls_in_sums} and ${first.credits_in_sums} in the sums`,
    );
  if (problems.length > 0)
    return { detail: problems.join('; '), wayOut: 'the ledger is the truth: repo-intel restore a backup' };
  const away = seen === 'live' ? '' : '; calls of the last second may be missing, as not all could be brought there';
  return { detail: `${calls} calls in the ledger, ${ephemeral.waiting()} on their way${away}`, wayOut: null };
}

const maxDiffering = 100;

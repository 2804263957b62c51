import type { Change } from '../model/change.ts';
import { isLower } from './sections.ts';

/** What a pipeline may refuse, in the order in which it is said; each with the code that the command exits with. */
export const changeGates = {
  'broken-caller': 11,
  'new-finding': 12,
  'lower-grade': 13,
  'untested-change': 14,
} as const;
export type ChangeGate = keyof typeof changeGates;

/** A sentence for each gate that a change does not pass, in the order of `changeGates`; what is not known passes none. */
export function missedGates(change: Change, wanted: readonly ChangeGate[]): { gate: ChangeGate; sentence: string }[] {
  return (Object.keys(changeGates) as ChangeGate[])
    .filter((gate) => wanted.includes(gate))
    .flatMap((gate) => {
      const why = reasons[gate](change);
      return why === null ? [] : [{ gate, sentence: `${gate}: ${why}` }];
    });
}

const unknown = 'due diligence was not asked, so nothing is known of it';

const reasons: Record<ChangeGate, (change: Change) => string | null> = {
  'broken-caller'({ broken, elsewhere }) {
    const [here] = broken.items;
    const there = elsewhere?.items.filter((each) => each.broken) ?? [];
    const count = broken.total + there.length;
    if (count === 0) return null;
    const [first] = there;
    const example = here
      ? `${here.from} ${here.arguments === null ? 'uses' : `passes ${here.arguments} to`} ${here.to}`
      : first
        ? `${first.repository}/${first.from} uses ${first.to}`
        : '';
    return `${count} ${count === 1 ? 'uses' : 'use'} what is gone or takes other arguments, the first: ${example}`;
  },
  'new-finding'({ diligence }) {
    if (!diligence) return unknown;
    const found = diligence.findings.new.items.filter(({ gated }) => gated);
    const [first] = found;
    if (!first) return null;
    return `${found.length} new, the first: ${first.note ?? first.metric} at ${first.path}${first.line === null ? '' : `:${first.line}`}`;
  },
  'lower-grade'({ diligence }) {
    if (!diligence) return unknown;
    const lower = diligence.grades.filter(isLower);
    if (lower.length === 0) return null;
    return lower.map(({ id, before, after }) => `${id} ${before} → ${after ?? 'none'}`).join(', ');
  },
  'untested-change'({ tests: { untested } }) {
    const [first] = untested.items;
    if (!first) return null;
    return `no test reaches ${untested.total} of the functions that changed, the first: ${first.id}`;
  },
};

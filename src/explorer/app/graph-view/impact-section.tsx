import type { ImpactAnswer } from '../../../graph/impact.ts';
import { Failure } from '../components/failure.tsx';
import { format } from '../format.ts';
import type { Asked } from '../use-answer.ts';
import { NodeButton } from './node-button.tsx';

const shownAtOnce = 50;

/** Who is affected when the node changes, the nearest first. */
export function ImpactSection({
  asked: { answer, error, again },
  onSelect,
}: {
  asked: Asked<ImpactAnswer>;
  onSelect: (node: { id: string; repository: string | null }) => void;
}) {
  const byDepth = Map.groupBy(answer?.affected ?? [], ({ depth }) => depth);
  return (
    <section aria-label="Impact">
      <h3>
        Affected by a change <span class="quiet">{answer === null ? '' : format.whole(answer.total_affected)}</span>
      </h3>
      {error !== null && <Failure error={error} again={again} />}
      {error === null && answer === null && <p class="quiet">Looking for who needs it…</p>}
      {answer?.total_affected === 0 && <p>Nothing that is known calls, inherits, imports or needs it.</p>}
      {answer?.truncated && <p class="quiet">So many were found that those further away were not looked for.</p>}
      {answer?.by_depth.map(({ depth, count }) => {
        const shown = byDepth.get(depth)?.slice(0, shownAtOnce) ?? [];
        return (
          count > 0 && (
            <section key={depth}>
              <h4>
                {depth === 1 ? 'Directly' : `Over ${depth - 1} other${depth > 2 ? 's' : ''}`}{' '}
                <span class="quiet">{format.whole(count)}</span>
              </h4>
              <ul class="nodes">
                {shown.map((node) => (
                  <li key={node.id}>
                    <NodeButton node={node} from={answer.node.repository} onSelect={onSelect} />
                  </li>
                ))}
              </ul>
              {count > shown.length && <p class="quiet">and {format.whole(count - shown.length)} more</p>}
            </section>
          )
        );
      })}
    </section>
  );
}

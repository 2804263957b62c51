import type { PathAnswer } from '../../../graph/path.ts';
import { Failure } from '../components/failure.tsx';
import { format } from '../format.ts';
import type { Asked } from '../use-answer.ts';
import { edgeKinds } from './appearance.ts';
import { NodeButton } from './node-button.tsx';

/** The way from one node to another, step by step. */
export function PathSection({
  asked: { answer, error, again },
  onSelect,
  onClose,
}: {
  asked: Asked<PathAnswer>;
  onSelect: (node: { id: string; repository: string | null }) => void;
  onClose: () => void;
}) {
  return (
    <section aria-label="Path">
      <h3>
        Path{' '}
        <button type="button" class="plain" onClick={onClose} aria-label="Close the path">
          ✕
        </button>
      </h3>
      {error !== null && <Failure error={error} again={again} />}
      {error === null && answer === null && <p class="quiet">Looking for the way…</p>}
      {answer !== null && answer.length === null && (
        <p>No way leads along the edges from here to {answer.to}, at most ten edges long.</p>
      )}
      {answer !== null && answer.length !== null && (
        <>
          <p class="quiet">{format.count(answer.length, 'edge')}</p>
          <ol class="nodes steps">
            {answer.nodes.map((node, index) => (
              <li key={node.id}>
                {index > 0 && <span class="quiet">{edgeKinds[answer.edges[index - 1]?.type ?? 'CALLS'].title}</span>}
                <NodeButton node={node} from={null} onSelect={onSelect} />
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  );
}

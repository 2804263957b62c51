import type { PathAnswer } from '../../../graph/path.ts';
import type { Api } from '../api.ts';
import { hrefOfNode } from '../code/address.ts';
import { Answered } from '../components/answered.tsx';
import { format } from '../format.ts';
import { useAnswer } from '../use-answer.ts';

const verbs: Record<PathAnswer['edges'][number]['type'], string> = {
  CALLS: 'calls',
  CONTAINS: 'contains',
  CONTRIBUTED_TO: 'contributed to',
  DEPENDS_ON: 'depends on',
  IMPORTS: 'imports',
  INHERITS: 'inherits',
};

/** The way from one node to another, step by step. */
export function PathSection({ api, from, to, onClose }: { api: Api; from: string; to: string; onClose: () => void }) {
  const asked = useAnswer<PathAnswer>(api, '/api/graph/path', { from, to });
  return (
    <section aria-label="Path">
      <h3>
        Path{' '}
        <button type="button" class="plain" onClick={onClose} aria-label="Close the path">
          ✕
        </button>
      </h3>
      <Answered asked={asked} lines={3}>
        {({ length, nodes, edges }) =>
          length === null ? (
            <p>No way leads along the edges from here to {to}, at most ten edges long.</p>
          ) : (
            <>
              <p class="quiet">{format.count(length, 'edge')}</p>
              <ol class="steps">
                {nodes.map((node, index) => (
                  <li key={node.id}>
                    {index > 0 && <span class="quiet">{verbs[edges[index - 1]?.type ?? 'CALLS']} </span>}
                    <a href={hrefOfNode(node)}>{node.name}</a>
                  </li>
                ))}
              </ol>
            </>
          )
        }
      </Answered>
    </section>
  );
}

import { useState } from 'preact/hooks';
import type { ReferencesAnswer } from '../../../graph/references.ts';
import type { Api } from '../api.ts';
import { Answered } from '../components/answered.tsx';
import { format } from '../format.ts';
import { useAnswer } from '../use-answer.ts';
import { hrefOfNode, hrefOfPlace } from './address.ts';

type Reference = ReferencesAnswer['references'][number];

const shownAtFirst = 30;

/** Asks for the first of them; of null nothing is asked. */
export function useReferences(api: Api, id: string | null, direction: 'in' | 'out', page_size = shownAtFirst) {
  const path = id === null ? null : (`/api/graph/references/${encodeURIComponent(id)}` as const);
  return useAnswer<ReferencesAnswer>(api, path, { direction, page_size });
}

/** How one refers to the other. */
const verbs: Partial<Record<Reference['type'], string>> = {
  IMPORTS: 'imports',
  INHERITS: 'inherits',
  DEPENDS_ON: 'depends on',
  CONTRIBUTED_TO: 'contributed to',
};

/** Who refers to a symbol, or what it refers to: by repository, what is no test first; each opens to what is behind it. */
export function ReferenceTree({
  api,
  id,
  direction,
  above = [],
  none,
  given = null,
}: {
  api: Api;
  id: string;
  direction: 'in' | 'out';
  /** The way to here, from the symbol that one began with. */
  above?: readonly string[];
  /** What to say where there is nothing. */
  none: string;
  /** The first of them, where they are known. */
  given?: ReferencesAnswer | null;
}) {
  const [size, setSize] = useState(shownAtFirst);
  const isGiven = given !== null && size === shownAtFirst;
  const asked = useReferences(api, isGiven ? null : id, direction, size);
  return (
    <Answered asked={isGiven ? { ...asked, answer: given } : asked} lines={3}>
      {({ node, references, total_references: total, truncated }) => (
        <>
          {total === 0 && <p class="quiet">{none}</p>}
          {[...Map.groupBy(references, (each) => each.node.repository ?? '')].map(([repository, group]) => (
            <section key={repository}>
              {repository !== node.repository && <h3 class="elsewhere">{repository || 'People'}</h3>}
              {[false, true].map((isTest) => {
                const shown = group.filter(({ test }) => (test ?? false) === isTest);
                return (
                  shown.length > 0 && (
                    <div key={String(isTest)}>
                      {isTest && <h4>Tests</h4>}
                      <ul class="references">
                        {shown.map((reference) => (
                          <Item
                            key={`${reference.type} ${reference.node.id}`}
                            api={api}
                            reference={reference}
                            repositoryOfLine={direction === 'in' ? reference.node.repository : node.repository}
                            direction={direction}
                            above={[...above, id]}
                          />
                        ))}
                      </ul>
                    </div>
                  )
                );
              })}
            </section>
          ))}
          {total > references.length && (
            <button type="button" onClick={() => setSize(Math.min(1_000, size * 10))} disabled={size >= 1_000}>
              {format.whole(total - references.length)} more
            </button>
          )}
          {truncated && <p class="quiet">There are more; these are the heaviest.</p>}
        </>
      )}
    </Answered>
  );
}

function Item({
  api,
  reference: { node, type, path, line, text, weight, confidence },
  repositoryOfLine,
  direction,
  above,
}: {
  api: Api;
  reference: Reference;
  repositoryOfLine: string | null;
  direction: 'in' | 'out';
  above: readonly string[];
}) {
  const [isOpen, setOpen] = useState(false);
  const isAgain = above.includes(node.id);
  const canOpen = !isAgain && node.type !== 'Repository' && node.type !== 'Contributor';
  return (
    <li>
      <div class="reference">
        {canOpen ? (
          <button
            type="button"
            class="plain turn"
            aria-expanded={isOpen}
            aria-label={`${direction === 'in' ? 'Who refers to' : 'What is referred to by'} ${node.name}`}
            onClick={() => setOpen(!isOpen)}
          >
            <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span>
          </button>
        ) : (
          <span class="turn" aria-hidden="true" />
        )}
        <a href={hrefOfNode(node)}>{node.qualified_name ?? node.name}</a>
        {verbs[type] !== undefined && <span class="quiet">{verbs[type]}</span>}
        {isAgain && <span class="quiet">again</span>}
        {weight > 1 && <span class="quiet">{format.whole(weight)}×</span>}
        {confidence < 0.8 && (
          <span class="quiet" title="How certain it is">
            {format.share(confidence)}
          </span>
        )}
        {path !== null && (
          <a class="place" href={hrefOfPlace(repositoryOfLine, path, line)}>
            <code>
              {path}
              {line === null ? '' : `:${line}`}
            </code>
          </a>
        )}
      </div>
      {text !== null && text !== '' && <code class="text">{text}</code>}
      {isOpen && (
        <ReferenceTree api={api} id={node.id} direction={direction} above={above} none="Nothing that is known." />
      )}
    </li>
  );
}

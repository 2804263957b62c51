import type { SearchAnswer } from '../../../search/routes.ts';
import { Highlighted } from '../components/highlighted.tsx';
import { format } from '../format.ts';
import { hrefOf } from '../router.ts';

type Item = SearchAnswer['items'][number];
type Field = Item['highlights'][number]['field'];

/** One item that was found: what it is, where it is written, and why it stands here. */
export function SearchResult({ item }: { item: Item }) {
  const { id, type, name, kind, language, repository, path, line, signature, doc, score } = item;
  const marked = (field: Field, text: string) => (
    <Highlighted text={text} ranges={item.highlights.find((highlight) => highlight.field === field)?.ranges ?? []} />
  );
  const isInside = repository !== null && repository !== id;
  return (
    <li>
      <div class="what">
        <a href={hrefOf('graph', isInside ? { repo: repository, node: id } : { node: id })}>{marked('name', name)}</a>
        <span class="quiet">{[kind ?? type, language].filter(Boolean).join(', ')}</span>
        <Parts item={item} score={score} />
      </div>
      {path !== null && (
        <p class="quiet">
          {repository} · <code>{marked('path', path)}</code>
          {line !== null && <code>:{line}</code>}
        </p>
      )}
      {signature !== null && (
        <p>
          <code>{marked('signature', signature)}</code>
        </p>
      )}
      {doc !== null && <p>{marked('doc', doc)}</p>}
    </li>
  );
}

function Parts({ item: { relevance, score_breakdown }, score }: { item: Item; score: number }) {
  return (
    <details>
      <summary>Score {format.tenth(score)}</summary>
      <dl class="parts">
        {Object.entries(score_breakdown).map(([part, points]) => [
          <dt key={part}>{part}</dt>,
          <dd key={`${part} points`} class="end">
            {format.tenth(points)}
          </dd>,
          <dd key={`${part} bar`} aria-hidden="true">
            <meter min={0} max={100} value={Math.max(0, points)} />
          </dd>,
        ])}
        <dt>of the text alone</dt>
        <dd class="end">{format.tenth(relevance)}</dd>
      </dl>
    </details>
  );
}

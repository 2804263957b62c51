import type { SearchAnswer } from '../../../search/routes.ts';
import { hrefOfNode, hrefOfPlace } from '../code/address.ts';
import { Highlighted } from '../components/highlighted.tsx';
import { format } from '../format.ts';
import { kindWords, languageName } from '../words.ts';

type Item = SearchAnswer['items'][number];
type Field = Item['highlights'][number]['field'];

/** One item that was found: what it is, where it is written, and why it stands here. */
export function SearchResult({ item }: { item: Item }) {
  const { type, name, kind, language, repository, path, line, signature, doc, score } = item;
  const marked = (field: Field, text: string) => (
    <Highlighted text={text} ranges={item.highlights.find((highlight) => highlight.field === field)?.ranges ?? []} />
  );
  // What is declared is no node, nor is a file: it is shown where it is written.
  const isNode = item.declared === null && type !== 'File';
  const href = !isNode && path !== null ? hrefOfPlace(repository, path, line) : hrefOfNode(item);
  return (
    <li>
      <div class="what">
        <a href={href}>{marked('name', name)}</a>
        <span class="quiet">{[kindWords(kind ?? type), languageName(language)].filter(Boolean).join(', ')}</span>
        <Parts item={item} score={score} />
      </div>
      {path !== null && (
        <p class="quiet">
          {repository} · <code>{marked('path', path)}</code>
          {line !== null && <code>:{line}</code>}
          {item.declared?.places[0]?.in !== undefined && ` · in ${item.declared.places[0].in}`}
        </p>
      )}
      {item.declared !== null && item.declared.count > 1 && <Places declared={item.declared} repository={repository} />}
      {signature !== null && (
        <p>
          <code>{marked('signature', signature)}</code>
        </p>
      )}
      {item.overloads !== null && <Overloads overloads={item.overloads} item={item} />}
      {(item.license !== null || item.topics.length > 0) && (
        <p class="quiet">{[item.license, ...item.topics].filter(Boolean).join(' · ')}</p>
      )}
      {doc !== null && <p>{marked('doc', doc)}</p>}
    </li>
  );
}

/** What else has this name in this file. */
function Overloads({ overloads: { count, places }, item }: { overloads: NonNullable<Item['overloads']>; item: Item }) {
  return (
    <details>
      <summary>And {format.count(count, 'other')} of this name</summary>
      <ul>
        {places.map(({ id, line, signature }) => (
          <li key={id} class="quiet">
            <a href={hrefOfNode({ ...item, id })}>
              <code>{signature ?? item.name}</code>
            </a>
            {line !== null && ` · line ${line}`}
          </li>
        ))}
      </ul>
      {count > places.length && <p class="quiet">and {format.count(count - places.length, 'other')} more</p>}
    </details>
  );
}

/** Where else a name is declared. */
function Places({
  declared: { count, places },
  repository,
}: {
  declared: NonNullable<Item['declared']>;
  repository: string | null;
}) {
  return (
    <details>
      <summary>Declared {format.count(count, 'time')}</summary>
      <ul>
        {places.map(({ path, line, in: around }) => (
          <li key={`${path}:${line}`} class="quiet">
            <a href={hrefOfPlace(repository, path, line)}>
              <code>
                {path}:{line}
              </code>
            </a>
            {around !== undefined && ` · in ${around}`}
          </li>
        ))}
      </ul>
      {count > places.length && <p class="quiet">and {format.count(count - places.length, 'place')} more</p>}
    </details>
  );
}

function Parts({ item: { relevance, score_breakdown }, score }: { item: Item; score: number }) {
  return (
    <details>
      <summary>Score {format.tenth(score)}</summary>
      <dl class="score-parts">
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

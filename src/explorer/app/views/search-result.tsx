import type { SearchAnswer } from '../../../search/routes.ts';
import { hrefOfNode, hrefOfPlace } from '../code/address.ts';
import { Highlighted } from '../components/highlighted.tsx';
import { format } from '../format.ts';
import { hrefOf } from '../router.ts';
import { kindWords, languageName } from '../words.ts';

type Item = SearchAnswer['items'][number];
type Field = Item['highlights'][number]['field'];

/** One item that was found: what it is, where it is written, and why it stands here. */
export function SearchResult({ item }: { item: Item }) {
  if (item.commit !== null) return <CommitResult item={item} commit={item.commit} />;
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

/** A commit: what it says, whose it is, and what it changed. */
function CommitResult({ item, commit }: { item: Item; commit: NonNullable<Item['commit']> }) {
  const { id, author, authored_at, files, total_files, symbols, url } = commit;
  const marked = (field: Field, text: string) => (
    <Highlighted text={text} ranges={item.highlights.find((highlight) => highlight.field === field)?.ranges ?? []} />
  );
  const [first] = files;
  // Where no forge shows it, what it changed first is as near as one comes.
  const href =
    url ?? (first === undefined ? hrefOf('search') : hrefOfPlace(item.repository, first.now ?? first.path, null));
  return (
    <li>
      <div class="what">
        <a href={href}>{marked('name', item.name)}</a>
        <span class="quiet">{kindWords('Commit')}</span>
        <Parts item={item} score={item.score} />
      </div>
      <p class="quiet">
        {item.repository} · <code>{id.slice(0, 10)}</code> · {author.name} · {format.day(authored_at)}
      </p>
      {item.doc !== null && <p class="message">{marked('doc', item.doc)}</p>}
      {total_files > 0 && (
        <details>
          <summary>Changed {format.count(total_files, 'file')}</summary>
          <ul>
            {files.map(({ path, now, status }) => (
              <li key={path} class="quiet">
                {status === 'D' ? (
                  <code>{path}</code>
                ) : (
                  <a href={hrefOfPlace(item.repository, now ?? path, null)}>
                    <code>{path}</code>
                  </a>
                )}
              </li>
            ))}
          </ul>
          {total_files > files.length && (
            <p class="quiet">and {format.count(total_files - files.length, 'file')} more</p>
          )}
        </details>
      )}
      {symbols.length > 0 && (
        <p class="quiet">
          Wrote lines of{' '}
          {symbols.map((symbol, index) => (
            <>
              {index > 0 && ', '}
              <a key={symbol.id} href={hrefOfNode({ ...item, id: symbol.id, type: symbol.type })}>
                <code>{symbol.qualified_name ?? symbol.name}</code>
              </a>
            </>
          ))}
        </p>
      )}
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

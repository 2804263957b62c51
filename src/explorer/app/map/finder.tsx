import { useId, useState } from 'preact/hooks';
import type { SearchAnswer } from '../../../search/routes.ts';
import type { Api } from '../api.ts';
import { useAnswer } from '../use-answer.ts';
import { useDebounced } from '../use-debounced.ts';

/** What was found. */
export type Found = SearchAnswer['items'][number];

/** What is declared beside them is no node. */
const types: readonly Found['type'][] = [
  'Repository',
  'Class',
  'Function',
  'Endpoint',
  'DataModel',
  'Framework',
  'SecurityPattern',
  'Contributor',
];

/** A box in which one node is searched for and chosen, by mouse or by keys. */
export function Finder({ api, label, onFound }: { api: Api; label: string; onFound: (found: Found) => void }) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(0);
  const q = useDebounced(typed.trim(), 150);
  const { answer, error } = useAnswer<SearchAnswer>(api, q === '' ? null : '/api/search', {
    q,
    type: types.join(','),
    page_size: 8,
  });
  const items = typed.trim() === '' ? [] : (answer?.items ?? []);
  const choose = (item: Found | undefined) => {
    if (item === undefined) return;
    setTyped('');
    onFound(item);
  };
  const keys: Record<string, () => void> = {
    ArrowDown: () => setActive((active + 1) % Math.max(1, items.length)),
    ArrowUp: () => setActive((active - 1 + items.length) % Math.max(1, items.length)),
    Enter: () => choose(items[active]),
    Escape: () => setTyped(''),
  };
  const isOpen = items.length > 0;
  return (
    <div class="finder">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="text"
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={isOpen ? `${id}-${active}` : undefined}
        autocomplete="off"
        spellcheck={false}
        maxLength={256}
        value={typed}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value);
          setActive(0);
        }}
        onKeyDown={(event) => {
          const act = keys[event.key];
          if (act === undefined || (event.key !== 'Escape' && !isOpen)) return;
          event.preventDefault();
          act();
        }}
      />
      <ul id={`${id}-list`} role="listbox" aria-label={label} hidden={!isOpen}>
        {items.map((item, index) => (
          <li
            key={item.id}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            onPointerDown={(event) => {
              event.preventDefault();
              choose(item);
            }}
          >
            {item.name}{' '}
            <span class="quiet">
              {item.kind ?? item.type}
              {item.path === null ? '' : `, ${item.repository}/${item.path}`}
            </span>
          </li>
        ))}
      </ul>
      <p class="unseen" role="status">
        {error?.message ??
          (isOpen
            ? `${items.length} found; arrows choose, Enter takes`
            : q !== '' && answer?.total === 0
              ? 'Nothing was found'
              : '')}
      </p>
    </div>
  );
}

import { useEffect, useRef, useState } from 'preact/hooks';
import { areShortcutsOn, setShortcutsOn } from '../use-shortcuts.ts';
import { views } from '../views/index.ts';

/** Lists the keyboard shortcuts, and turns them off for who types by voice. */
export function ShortcutHelp({ isOpen, close }: { isOpen: boolean; close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOn, setOn] = useState(areShortcutsOn);
  useEffect(() => {
    if (isOpen && !dialog.current?.open) dialog.current?.showModal();
  }, [isOpen]);
  return (
    <dialog ref={dialog} onClose={close} aria-labelledby="shortcuts">
      <h2 id="shortcuts">Keyboard shortcuts</h2>
      <dl class="pairs">
        <dt>
          <kbd>/</kbd>
        </dt>
        <dd>Search</dd>
        {views.map(
          ({ id, title, key }) =>
            key && [
              <dt key={id}>
                <kbd>g</kbd> <kbd>{key}</kbd>
              </dt>,
              <dd key={`${id} title`}>{title}</dd>,
            ],
        )}
        <dt>
          <kbd>←</kbd> <kbd>→</kbd> <kbd>+</kbd> <kbd>-</kbd>
        </dt>
        <dd>Move the map, once it has the focus</dd>
        <dt>
          <kbd>t</kbd>
        </dt>
        <dd>Dark or light</dd>
        <dt>
          <kbd>?</kbd>
        </dt>
        <dd>This list</dd>
      </dl>
      <label>
        <input
          type="checkbox"
          checked={isOn}
          onChange={({ currentTarget }) => {
            setShortcutsOn(currentTarget.checked);
            setOn(currentTarget.checked);
          }}
        />{' '}
        Shortcuts are on
      </label>
      <form method="dialog">
        <button type="submit" class="primary">
          Close
        </button>
      </form>
    </dialog>
  );
}

import { useEffect } from 'preact/hooks';
import { navigate } from './router.ts';
import { toggleTheme } from './theme.ts';
import { views } from './views/index.ts';

const storedAs = 'repo-intel-shortcuts';

/** Single letters must be possible to turn off: who speaks to the computer says letters all the time. */
export const areShortcutsOn = () => localStorage.getItem(storedAs) !== 'off';
export const setShortcutsOn = (isOn: boolean) => localStorage.setItem(storedAs, isOn ? 'on' : 'off');

/** Listens for the shortcuts while the page is open: `g` and a view's letter, `/`, `t`, `?`. */
export function useShortcuts(help: () => void): void {
  useEffect(() => {
    let goPressedAt = -Infinity;
    const listen = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, target, timeStamp } = event;
      if (ctrlKey || metaKey || altKey || isTyping(target) || !areShortcutsOn()) return;
      const view = timeStamp - goPressedAt < 1_500 ? views.find((view) => view.key === key) : undefined;
      goPressedAt = key === 'g' && view === undefined ? timeStamp : -Infinity;
      if (view !== undefined) navigate({ view: view.id });
      else if (key === '/') search();
      else if (key === 't') toggleTheme();
      else if (key === '?') help();
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [help]);
}

/** To the search box of the view, else to the view that has one. */
function search(): void {
  const box = document.querySelector<HTMLInputElement>('[type=search], [role=combobox]');
  if (box === null) navigate({ view: 'search' });
  else box.focus();
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(?:textarea|select)$/i.test(target.tagName) || isTextField(target));

const isTextField = (target: HTMLElement) =>
  target instanceof HTMLInputElement && !/^(?:checkbox|radio|button|range)$/.test(target.type);

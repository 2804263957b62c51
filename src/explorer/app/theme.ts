export type Theme = 'light' | 'dark';

const storedAs = 'repo-intel-theme';
const dark = matchMedia('(prefers-color-scheme: dark)');

/** What the person chose, else what the system prefers. */
export function currentTheme(): Theme {
  const chosen = localStorage.getItem(storedAs);
  return chosen === 'light' || chosen === 'dark' ? chosen : dark.matches ? 'dark' : 'light';
}

/** Shows the page in this theme. */
export function applyTheme(theme = currentTheme()): void {
  document.documentElement.dataset['theme'] = theme;
  dispatchEvent(new Event('themechange'));
}

/** Changes to the other theme, and stays there. */
export function toggleTheme(): void {
  const theme = currentTheme() === 'dark' ? 'light' : 'dark';
  localStorage.setItem(storedAs, theme);
  applyTheme(theme);
}

/** The value of a custom property, as the current theme has it: `--grade-a`. */
export function colorOf(property: string): string {
  // Computed on an element, as the property itself is still `light-dark(…)`.
  const probe = document.createElement('i');
  probe.style.color = `var(${property})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

dark.addEventListener('change', () => applyTheme());

import { render } from 'preact';
import { App } from './app.tsx';
import './style.css';
import { applyTheme } from './theme.ts';

applyTheme();
const place = document.getElementById('app');
if (place !== null) {
  // What is seen while the program does not come.
  place.replaceChildren();
  render(<App />, place);
}

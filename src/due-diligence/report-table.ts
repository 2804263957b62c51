import { html } from './html.ts';
import type { Content } from './html.ts';

/** As wide as it is, it scrolls by itself. */
export const table = (columns: readonly string[], rows: readonly (readonly Content[])[]) =>
  html`<div class="table">
    <table>
      <thead>
        <tr>
          ${columns.map((column) => html`<th scope="col">${column}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (cells) =>
            html`<tr>
              ${cells.map((cell) => html`<td>${cell}</td>`)}
            </tr> `,
        )}
      </tbody>
    </table>
  </div>`;

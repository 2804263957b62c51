import { escapeHtml } from '../http/docs-page.ts';
import { plain } from '../model/plain.ts';

/** HTML that is safe to put into a page. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
export type Content = Html | string | number | null | Content[];

/** A template in which every value is escaped, unless it was made by this very template. */
export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Html {
  return new Html(strings.map((text, index) => `${text}${textOf(values[index] ?? null)}`).join(''));
}

function textOf(content: Content): string {
  if (content instanceof Html) return content.text;
  if (Array.isArray(content)) return content.map(textOf).join('');
  if (typeof content === 'number') return String(content);
  return content === null ? '' : escapeHtml(plain(content));
}

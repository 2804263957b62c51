import type { ReportDocument } from '../document.ts';

/** The rows as objects, for programs. */
export function renderJson({ title, sections }: ReportDocument): string {
  const content = Object.entries(sections).map(([id, { title, notes = [], rows }]) => [id, { title, notes, rows }]);
  return `${JSON.stringify({ title, sections: Object.fromEntries(content) }, null, 2)}\n`;
}

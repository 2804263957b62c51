import type { ReportDocument } from '../document.ts';

/** The rows as objects, and the answers of the API that they are made from. */
export async function renderJson({ title, sections, answers }: ReportDocument): Promise<string> {
  const content = Object.entries(sections).map(([id, { title, notes = [], rows }]) => [id, { title, notes, rows }]);
  return `${JSON.stringify({ title, sections: Object.fromEntries(content), answers: (await answers?.()) ?? {} }, null, 2)}\n`;
}

import type { ReportFormat } from '../../model/report.ts';
import type { ReportDocument } from '../document.ts';
import { renderCsv, renderCsvZip } from './csv.ts';
import { renderJson } from './json.ts';
import { renderMarkdown } from './markdown.ts';

interface Renderer {
  contentType: string;
  extension: string;
  render: (document: ReportDocument) => string | Uint8Array | Promise<string>;
}

/** How each format is written; the same document gives the same bytes. */
export const renderers: Record<ReportFormat, Renderer> = {
  json: { contentType: 'application/json; charset=utf-8', extension: 'json', render: renderJson },
  csv: { contentType: 'text/csv; charset=utf-8', extension: 'csv', render: renderCsv },
  csv_zip: { contentType: 'application/zip', extension: 'zip', render: renderCsvZip },
  markdown: { contentType: 'text/markdown; charset=utf-8', extension: 'md', render: renderMarkdown },
};

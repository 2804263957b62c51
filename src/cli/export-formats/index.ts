import { csv, nodesCsv } from './csv.ts';
import { edges } from './edges.ts';
import type { ExportFormat } from './format.ts';
import { graphml } from './graphml.ts';

/** Every form in which the graph is written, by what `--format` calls it. */
export const exportFormats = { edges, csv, 'nodes-csv': nodesCsv, graphml } satisfies Record<string, ExportFormat>;

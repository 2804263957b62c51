import { z } from 'zod';
import type { GraphNode } from '../model/graph.ts';
import type { View } from '../tenancy/view.ts';

/** A function or class around some lines. */
export const symbolSchema = z
  .object({
    id: z.string(),
    type: z.enum(['Function', 'Class']),
    name: z.string(),
    qualified_name: z.string().nullable(),
    kind: z.string().nullable(),
  })
  .meta({ id: 'EnclosingSymbol' });

export type EnclosingSymbol = z.infer<typeof symbolSchema>;

/** Lines of a file, by their numbers from 1. */
interface Lines {
  repository: string;
  path: string;
  lines: number[];
}

/** Tells the innermost function or class around a line of these files. */
export async function symbolsAt({ graph }: View, files: readonly Lines[]) {
  const definitions = await graph.definitions(
    files.filter(({ lines }) => lines.length > 0).map(({ repository, path, lines }) => ({ repository, path, lines })),
  );
  const byFile = Map.groupBy(definitions, ({ repository, path }) => `${repository}\n${path}`);
  return (repository: string, path: string, line: number): EnclosingSymbol | null => {
    let inner: GraphNode | null = null;
    for (const node of byFile.get(`${repository}\n${path}`) ?? []) {
      const { line: from, end_line: end } = node;
      if (from !== null && end !== null && from <= line && line <= end && from >= (inner?.line ?? 0)) inner = node;
    }
    if (inner === null || (inner.type !== 'Function' && inner.type !== 'Class')) return null;
    const { id, type, name, qualified_name, kind } = inner;
    return { id, type, name, qualified_name, kind };
  };
}

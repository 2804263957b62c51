import { z } from 'zod';
import { nodeTypeSchema } from './graph.ts';

/** What the search index keeps of one node. Text is raw: both engines split it with the one tokenizer of `stores/search/tokens.ts`. */
export const searchDocumentSchema = z.object({
  /** The node's id in the graph. */
  id: z.string(),
  type: nodeTypeSchema,
  name: z.string(),
  qualified_name: z.string().nullable(),
  repository: z.string().nullable(),
  path: z.string().nullable(),
  line: z.int().nullable(),
  language: z.string().nullable(),
  kind: z.string().nullable(),
  signature: z.string().nullable(),
  /** Prose: doc comment, description, README's first paragraph. */
  doc: z.string().nullable(),
  /** 0 to 1, from the graph: how much else leads to it, against the rest of its repository. */
  centrality: z.number().min(0).max(1),
  /** Of the repository's last commit, RFC 3339; null when not known. */
  updated_at: z.string().nullable(),
  /** Part of tests or generated code; ranks lower. */
  test: z.boolean(),
});
export type SearchDocument = z.infer<typeof searchDocumentSchema>;

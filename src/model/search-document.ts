import { z } from 'zod';
import { declaredRowSchema, maxPlaces } from './declared-name.ts';
import { nodeTypeSchema } from './graph.ts';

/** What the search index has: a node of the graph, or a declared name or file, which are none. */
const documentTypeSchema = z.enum([...nodeTypeSchema.options, 'Declaration', 'File']).meta({ id: 'DocumentType' });
/** What a search finds: one of these, or a commit, which the store of source has. */
export const searchTypeSchema = z.enum([...documentTypeSchema.options, 'Commit']).meta({ id: 'SearchType' });
export type SearchType = z.infer<typeof searchTypeSchema>;

/** What the search index keeps of one node, declared name or file. Text is raw: both engines split it with the one tokenizer of `search/ranking/tokens.ts`. */
export const searchDocumentSchema = z.object({
  /** The node's id in the graph; of a declared name `<repository>/<first path>#<kind>:<name>`, of a file `<repository>/<path>`. */
  id: z.string(),
  type: documentTypeSchema,
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
  /** What else it is looked for by: topics, license, languages, grade of a repository. */
  details: z.string().nullable(),
  /** Words of its body that tell it apart from others, small letters, each once; absent where there are none or the source is not kept. */
  words: z.array(z.string()).optional(),
  /** Names of the frameworks that it belongs to, or that the repository is built with; small letters. */
  frameworks: z.array(z.string()),
  /** Of a repository: its licence as an SPDX expression where that is known, and what it says that it is about. */
  license: z.string().optional(),
  topics: z.array(z.string()).optional(),
  /** Seen from outside its file or package. */
  exported: z.boolean(),
  /** 0 to 1, from the graph: how much else leads to it, against the rest of its repository. */
  centrality: z.number().min(0).max(1),
  /** How many other repositories need the one that it belongs to. */
  usage: z.int().min(0),
  /** Of its repository, 0 to 1, by due diligence; null when not known. */
  health: z.number().min(0).max(1).nullable(),
  /** Of the repository's last commit, RFC 3339; null when not known. */
  updated_at: z.string().nullable(),
  /** Part of tests; ranks lower. What tools wrote has no document at all. */
  test: z.boolean(),
  /** Where a file has several functions or classes of a qualified name: how many there are beside the first, which this is, and those. */
  overloads: z
    .object({
      count: z.int().min(1),
      places: z
        .array(z.object({ id: z.string(), line: z.int().nullable(), signature: z.string().nullable() }))
        .max(maxPlaces),
    })
    .optional(),
  /** Of a declared name: how often it is declared, and where first; path and line above are the first of these. */
  declared: declaredRowSchema.pick({ count: true, places: true }).optional(),
});
export type SearchDocument = z.infer<typeof searchDocumentSchema>;

/** The same as it is written: with what it is only found by. */
export interface IndexedDocument extends SearchDocument {
  /** Of a file: the words of its text, by how much of it they are (search/ranking/content.ts); each has one place. */
  content?: readonly (readonly string[])[];
}

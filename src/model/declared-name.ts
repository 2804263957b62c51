import { z } from 'zod';

/** What a declared name that is neither a function nor a class can be. */
export const declaredKindSchema = z.enum(['constant', 'variable', 'field', 'enum_member', 'type_alias', 'macro']);
export type DeclaredKind = z.infer<typeof declaredKindSchema>;

/** So many places of one name are kept; names that have more (`name`, `id`) nobody goes through place by place. */
export const maxPlaces = 32;

/**
 * A name that a repository declares, one for all places where it is declared with this kind in this language, apart for tests and
 * for what is no test.
 */
export const declaredRowSchema = z.object({
  kind: declaredKindSchema,
  name: z.string(),
  /** As nodes have it. */
  language: z.string(),
  test: z.boolean(),
  /** How often it is declared. */
  count: z.int().min(1),
  /** The first of them, by path and line. */
  places: z
    .array(
      z.object({
        path: z.string(),
        /** From 1. */
        line: z.int(),
        /** Qualified name of the class around it; absent where there is none. */
        in: z.string().optional(),
      }),
    )
    .min(1)
    .max(maxPlaces),
});
export type DeclaredRow = z.infer<typeof declaredRowSchema>;

import { z } from 'zod';

/** So many of each list are kept, the weightiest first; each says how many there are. */
export const maxListed = {
  components: 200,
  edges: 1_000,
  cycles: 50,
  cycleEdges: 10,
  fileCycles: 50,
  cycleFiles: 30,
  godComponents: 20,
  unstableInterfaces: 50,
  changeCoupling: 100,
  deadCode: 200,
  people: 10,
  files: 20,
} as const;

const listed = <T extends z.ZodType>(item: T, most: number) =>
  z
    .object({
      total: z.int().min(0).meta({ description: 'How many there are.' }),
      items: z
        .array(item)
        .max(most)
        .meta({ description: `The first ${most} of them at most.` }),
    })
    .readonly();

/** Only so many of a list, and how many there are. */
export const firstOf = <T>(all: readonly T[], most: number) => ({ total: all.length, items: all.slice(0, most) });

const placeSchema = z.object({
  path: z.string(),
  line: z.int(),
  to_path: z.string(),
  to_line: z.int().nullable().meta({ description: 'Null where a whole file is imported.' }),
});

const kinds = {
  imports: z.int().meta({ description: 'Lines that import what is there when the program runs.' }),
  types: z.int().meta({ description: 'Lines that import types alone; no cycle is made of them.' }),
  calls: z.int().nullable().meta({ description: 'Places of calls; null where calls were not resolved.' }),
  inherits: z.int().nullable().meta({ description: 'Classes that extend one there; null as calls are.' }),
};

const componentSchema = z
  .object({
    name: z.string(),
    paths: z.array(z.string()).meta({
      description:
        'Its folders, with `/` at the end (the root’s is empty), and files; a path lies in the component with the longest that it begins with.',
    }),
    files: z.int(),
    lines: z.int().meta({ description: 'Of code, of production alone, as all that is told here.' }),
    functions: z.int(),
    used_by: z.int().meta({ description: 'Ca: components that depend on it.' }),
    uses: z.int().meta({ description: 'Ce: components that it depends on.' }),
    instability: z.number().nullable().meta({
      description:
        'Ce / (Ca + Ce) (Martin 1994): 0 is what others build on, 1 what builds on others. Null of one that stands alone.',
    }),
    cohesion: z.number().nullable().meta({
      description:
        'The share of the dependencies of its files that stay inside it, 0 to 1; null where there are none, or imports alone don’t tell.',
    }),
    depth: z.int().meta({ description: 'The longest way down from it, over components; a cycle is one step.' }),
    cycle: z.int().nullable().meta({ description: 'The number of the cycle that it is in, from 1.' }),
  })
  .meta({ id: 'Component' });

const edgeSchema = z
  .object({ from: z.string(), to: z.string(), ...kinds, example: placeSchema })
  .meta({ id: 'ComponentEdge', description: 'What one component uses of another, with its first place.' });

/** What a repository is made of, and how the parts depend on each other. */
export const architectureSchema = z
  .object({
    made_of: z.enum(['configured', 'packages', 'folders']).meta({
      description:
        'What its components are: those of `architecture.yml`, packages by their manifests, or folders of source.',
    }),
    basis: z.array(z.enum(['imports', 'calls', 'inherits'])).meta({
      description: 'Which dependencies are known: imports alone, or who calls and extends whom as well.',
    }),
    components: listed(componentSchema, maxListed.components),
    edges: listed(edgeSchema, maxListed.edges),
    cycles: listed(
      z.object({
        components: z.array(z.string()),
        edges: listed(edgeSchema, maxListed.cycleEdges).meta({
          description: 'In it, the weakest first: where it is cut most easily.',
        }),
      }),
      maxListed.cycles,
    ),
    file_cycles: listed(
      z.object({
        files: listed(z.string(), maxListed.cycleFiles),
        edges: listed(placeSchema, maxListed.cycleEdges),
      }),
      maxListed.fileCycles,
    ).meta({ description: 'Files that import each other in a circle, whatever the components are.' }),
    god_components: listed(
      z.object({ name: z.string(), lines_pct: z.number(), neighbors: z.int() }),
      maxListed.godComponents,
    ).meta({
      description:
        'Of five components or more, those with over a quarter of the lines that at least half of the others depend on, or are depended on by.',
    }),
    unstable_interfaces: listed(
      z.object({
        path: z.string(),
        component: z.string(),
        dependents: z.int(),
        changes_12m: z.int(),
        changed_with: z.int(),
      }),
      maxListed.unstableInterfaces,
    ).meta({
      description:
        'Files that five others or more import, of which three or more had to be changed with it in two commits or more within twelve months.',
    }),
    change_coupling: z
      .object({
        commits: z.int().meta({ description: 'Commits of people within twelve months that were counted.' }),
        left_out: z.object({
          bots: z.int(),
          merges: z.int(),
          mass: z.int().meta({ description: 'Of more than 30 files.' }),
        }),
        pairs: listed(
          z.object({
            path: z.string(),
            component: z.string().nullable().meta({ description: 'Of this file; null of a test.' }),
            other_path: z.string().meta({ description: 'The file that changes with it.' }),
            other_component: z.string().nullable().meta({ description: 'Of the other file; null of a test.' }),
            commits: z.int().meta({ description: 'Support: commits that changed both.' }),
            confidence: z.number().meta({ description: 'Of the changes of the one that is changed less, 0 to 1.' }),
          }),
          maxListed.changeCoupling,
        ),
      })
      .nullable()
      .meta({
        description:
          'Files of different folders that change together, neither of which depends on the other: in five commits or more, and a third of the changes of one. Null without a whole history.',
      }),
    dead_code: listed(
      z.object({
        path: z.string(),
        line: z.int(),
        end_line: z.int(),
        name: z.string().nullable(),
        kind: z.string(),
        confidence: z.enum(['high', 'medium']),
        reason: z.string(),
      }),
      maxListed.deadCode,
    )
      .nullable()
      .meta({
        description:
          'Functions and classes that nothing calls, extends, imports or names. Null where calls were not resolved.',
      }),
    ambiguous_imports: z.int().meta({
      description: 'Lines that import what several components have a part of; they are in no figure.',
    }),
    own_among_others: listed(z.string(), maxListed.files).meta({
      description:
        'Files that lie among tests, examples or the code of others, that production imports and that import production: they count as production here.',
    }),
  })
  .meta({ id: 'Architecture' });
export type Architecture = z.infer<typeof architectureSchema>;

/** Who knows the files of each component: for each set of authors how many files, of how many lines. */
export const knowledgeSchema = z.array(
  z.object({
    component: z.string(),
    groups: z.array(
      z.object({
        /** Ids; empty of files that no person has changed. */
        authors: z.array(z.string()),
        files: z.int(),
        /** Of code. */
        lines: z.int(),
        /** Those with the most lines, twenty at most. */
        largest: z.array(z.object({ path: z.string(), lines: z.int() })),
      }),
    ),
  }),
);
export type Knowledge = z.infer<typeof knowledgeSchema>;

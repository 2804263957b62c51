import { z } from 'zod';
import { predictionStatusSchema, usageSchema } from './evaluation-run.ts';
import { difficultySchema } from './task-instance.ts';

/** What became of one task in a run of a model. */
export const evaluationOutcomeSchema = z.object({
  instance_id: z.string().min(1),
  repo: z.string(),
  language: z.string(),
  difficulty: difficultySchema,
  /** Committer date of the fix. RFC 3339, UTC. */
  committed_at: z.iso.datetime(),
  status: predictionStatusSchema,
  /** Whether it was run with controls among its tests; null where that was not needed, false where none could be made. */
  controlled: z.boolean().nullable(),
  /** Why the status is what it is, where the tests do not tell; else why there is no attempt or not a whole one. */
  problem: z.string().nullable(),
  /** What the patch had no right to change. */
  dropped_paths: z.array(z.string()),
  /** What hints at the machine; null where nothing does. */
  infra: z.string().nullable(),
  /** Its folder of logs, below that of the benchmark. */
  logs: z.string(),
  /** What the attempt says that it took; null where it doesn't. */
  usage: usageSchema.nullable(),
});
export type EvaluationOutcome = z.infer<typeof evaluationOutcomeSchema>;

/** Which outcomes a leaderboard counts; times are RFC 3339, their ends included. */
export interface OutcomeFilter {
  models?: readonly string[] | undefined;
  /** A run, or the one whose samples are runs of their own. */
  run?: string | undefined;
  language?: string | undefined;
  difficulty?: string | undefined;
  evaluatedFrom?: string | undefined;
  evaluatedTo?: string | undefined;
  /** By the date of the fix: what a model may have learned from is older than the model. */
  committedFrom?: string | undefined;
  committedTo?: string | undefined;
}

/** How a model did on one task, over all of its attempts. */
export interface TaskScore {
  model: string;
  instance_id: string;
  committed_at: string;
  runs: string[];
  attempts: number;
  resolved: number;
  suspicious: number;
  /** Of those resolved. */
  uncontrolled: number;
  /** Summed over the attempts that say it; null where none does. */
  input_tokens: number | null;
  output_tokens: number | null;
  cost_usd: number | null;
}

import { z } from 'zod';

const count = z.int().min(0);

/** What became of one prediction. */
export const predictionStatusSchema = z
  .enum(['resolved', 'unresolved', 'suspicious', 'empty_patch', 'patch_failed', 'timeout', 'error'])
  .meta({ id: 'PredictionStatus' });
export type PredictionStatus = z.infer<typeof predictionStatusSchema>;

/** What attempts took, as their agents say; null where they don't. */
export const usageSchema = z
  .object({
    input_tokens: count.nullable(),
    output_tokens: count.nullable(),
    /** US dollars. */
    cost_usd: z.number().min(0).nullable(),
  })
  .meta({ id: 'AttemptUsage' });
export type Usage = z.infer<typeof usageSchema>;

/** What a model reached on a dataset in one run. Nothing leaves the denominator. */
export const evaluationRunSchema = z.object({
  run_id: z.string().min(1),
  model: z.string().min(1),
  dataset: z.string().min(1),
  /** Predictions for known instances, failed ones too. */
  evaluated: count,
  solved: count,
  /** `solved / evaluated`, to four decimals; 0 when nothing was evaluated. */
  solve_rate: z.number().min(0).max(1),
  /** End of the run. RFC 3339, UTC, to the second. */
  timestamp: z.iso.datetime(),
  counts: z.object({
    resolved: count,
    unresolved: count,
    /** Of runs before this was told, 0. */
    suspicious: count.default(0),
    empty_patch: count,
    patch_failed: count,
    timeout: count,
    error: count,
  }),
  /** Instances in the dataset. */
  total: count,
  /** `solved / total`. */
  solve_rate_total: z.number().min(0).max(1),
  infra_suspected: count,
  /** Of those solved, how many are so by the word of their tests alone, as no control could be made; null where that was not told. */
  uncontrolled: count.nullable().default(null),
  /** What the model's attempts say that they took, together; null where none says it. */
  usage: usageSchema.nullable().default(null),
  harness_version: z.string(),
  dataset_sha256: z.string(),
  duration_s: z.number().min(0),
});
export type EvaluationRun = z.infer<typeof evaluationRunSchema>;

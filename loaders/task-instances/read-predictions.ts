import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { z } from 'zod';

/** What a model answered to one task. */
export interface Prediction {
  instance_id: string;
  model: string;
  /** Null and the empty text are no patch: unsolved. */
  patch: string | null;
}

/** Predictions that can't be evaluated; the message says which and why. */
export class PredictionsError extends Error {
  override readonly name = 'PredictionsError';
}

const patchSchema = z.string().nullable();

/** Each benchmark's own form of a prediction, as ours; `model` where the file does not tell. */
const forms = [
  // SWE-bench and, within an object by id, SWE-agent and SWE-bench-Live.
  z
    .object({ instance_id: z.string(), model_name_or_path: z.string().optional(), model_patch: patchSchema })
    .transform(({ instance_id, model_name_or_path: model, model_patch: patch }) => ({ instance_id, model, patch })),
  // Multi-SWE-bench
  z
    .object({ org: z.string(), repo: z.string(), number: z.int(), fix_patch: patchSchema })
    .transform(({ org, repo, number, fix_patch: patch }) => ({
      instance_id: `${org}__${repo}-${number}`,
      model: undefined,
      patch,
    })),
  // SWE-bench Pro
  z
    .object({ instance_id: z.string(), patch: patchSchema, prefix: z.string().optional() })
    .transform(({ instance_id, patch, prefix: model }) => ({ instance_id, model, patch })),
] as const;

/** Reads predictions in the forms of SWE-bench, SWE-agent, SWE-bench-Live, Multi-SWE-bench and SWE-bench Pro. */
export async function readPredictions(file: string, known: ReadonlySet<string>): Promise<Prediction[]> {
  const fallback = basename(file).replace(/\.jsonl?$/, '');
  const predictions = itemsOf(await readFile(file, 'utf8'), file).map(([place, item]) => {
    for (const form of forms) {
      const { success, data } = form.safeParse(item);
      if (success) return { ...data, model: data.model ?? fallback };
    }
    throw new PredictionsError(
      `${place}: it is no prediction: {"instance_id", "model_name_or_path", "model_patch"} are its members.`,
    );
  });
  const unknown = predictions.filter(({ instance_id: id }) => !known.has(id));
  if (unknown.length > 0) throw new PredictionsError(`Not in the dataset: ${idsOf(unknown)}.`);
  const seen = new Set<string>();
  const twice = predictions.filter(({ instance_id: id, model }) => {
    const key = JSON.stringify([id, model]);
    return seen.has(key) || !seen.add(key);
  });
  if (twice.length > 0) throw new PredictionsError(`More than one prediction of a model: ${idsOf(twice)}.`);
  const unnameable = predictions.find(({ model }) => !isFolderName(model));
  if (unnameable)
    throw new PredictionsError(`No folder can be named after the model ${JSON.stringify(unnameable.model)}.`);
  return predictions;
}

const idsOf = (predictions: readonly Prediction[]) =>
  [...new Set(predictions.map(({ instance_id: id }) => id))].join(', ');

/** The folder of a model's logs, as SWE-bench names it. */
export const modelFolder = (model: string): string => model.replaceAll('/', '__');

// oxlint-disable-next-line no-control-regex -- they are what is refused
const isFolderName = (model: string) => /^(?!\.{1,2}$)[^\u0000-\u001f\\]{1,200}$/.test(modelFolder(model));

/** Each entry of a list, of an object by id, or of JSON lines, with where it stands. */
function itemsOf(text: string, file: string): [place: string, item: unknown][] {
  const whole = file.endsWith('.jsonl') ? undefined : parsed(text);
  if (whole === undefined)
    return text.split('\n').flatMap((line, index) => {
      if (line.trim() === '') return [];
      const place = `${file}, line ${index + 1}`;
      const item = parsed(line);
      if (item === undefined) throw new PredictionsError(`${place}: it is no JSON.`);
      return [[place, item]];
    });
  if (Array.isArray(whole)) return whole.map((item: unknown, index) => [`${file}, entry ${index + 1}`, item]);
  if (typeof whole !== 'object' || whole === null) throw new PredictionsError(`${file}: there is no list in it.`);
  // One prediction alone is no object of predictions by id.
  if ('instance_id' in whole || 'fix_patch' in whole) return [[file, whole]];
  return Object.entries(whole).map(([id, item]: [string, unknown]) => [
    `${file}, ${JSON.stringify(id)}`,
    typeof item === 'object' && item !== null ? { instance_id: id, ...item } : item,
  ]);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

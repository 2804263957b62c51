import { holdsNotices } from '../liveness/notices.ts';
import type { MetricInput } from '../metric.ts';

const known = new WeakMap<object, string>();

/** Whether a repository is called so, `owner/name` or one of both: by where it was cloned from, its manifests or its README. */
export function isCalled(input: Pick<MetricInput, 'fullName' | 'paths' | 'text'>, name: string): boolean {
  const wanted = name.toLowerCase();
  const full = input.fullName.toLowerCase();
  if (!full.startsWith('local/') && (full === wanted || full.split('/').includes(wanted))) return true;
  let texts = known.get(input);
  if (texts === undefined) {
    const told = input.paths.filter((path) => holdsNotices(path) || path === 'action.yml');
    known.set(
      input,
      (texts = told
        .map((path) => input.text(path) ?? '')
        .join('\n')
        .toLowerCase()),
    );
  }
  for (let at = texts.indexOf(wanted); wanted !== '' && at !== -1; at = texts.indexOf(wanted, at + 1))
    if (/[/:"']/.test(texts[at - 1] ?? '') && !/[\w-]/.test(texts[at + wanted.length] ?? ' ')) return true;
  return false;
}

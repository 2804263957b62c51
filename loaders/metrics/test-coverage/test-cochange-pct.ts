import type { MetricSource } from '../metric.ts';
import { isHuman } from '../people.ts';
import { assertingTests } from './tests-that-assert.ts';

const minCommits = 10;

/** Of the commits by people within twelve months that change production source, those that change tests which assert something, too (OpenSSF: 50 %). */
export const testCochange: MetricSource = {
  id: 'test_cochange_pct',
  version: 5,
  measure(input) {
    const { files, history, noHistory, shallow } = input;
    if (files.length === 0) return { value: null, reason: 'no_source_code' };
    if (!history) return { value: null, reason: shallow ? 'shallow_clone' : noHistory };
    const production = new Set(files.filter(({ test }) => !test).map(({ path }) => path));
    const { paths: tests } = assertingTests(input);
    const changing = history.commits.filter(
      (commit) => isHuman(commit) && (commit.paths?.some((path) => production.has(path)) ?? false),
    );
    if (changing.length < minCommits) return { value: null, reason: 'history_too_short' };
    const without = changing.filter(({ paths }) => !paths?.some((path) => tests.has(path)));
    return {
      value: (100 * (changing.length - without.length)) / changing.length,
      numerator: changing.length - without.length,
      denominator: changing.length,
      evidence: without.map(({ id, subject }) => ({ commit: id, note: subject.slice(0, 120) })),
    };
  },
};

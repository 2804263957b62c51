import type { MetricInput, MetricSource } from '../metric.ts';

const readme = /^(\.github\/|docs\/)?readme(\.(md|markdown|mdx|rst|adoc|asciidoc|txt|org))?$/i;
const heading = /\b(install|installation|installing|getting started|quick ?start|build|building|set-?up|usage)\b/i;
const testing = /\b(tests?|testing)\b/i;

/** What somebody needs who builds it for the first time; by file, or by a heading of the README. */
const wanted: readonly { id: string; find: (input: MetricInput) => string | null }[] = [
  { id: 'README: how to install or build', find: (input) => readmeWith(input, heading) },
  { id: 'README: how to test', find: (input) => readmeWith(input, testing) },
  { id: 'CONTRIBUTING', find: ({ paths }) => file(paths, /^(\.github\/|docs\/)?contributing(\.\w+)?$/i) },
  {
    id: 'CHANGELOG or releases',
    find: ({ paths, tags }) =>
      file(paths, /^(docs\/)?(change(log|s)|history|news|releases?|release[-_]notes)(\.\w+)?$/i) ??
      (tags.length > 0 ? `${tags.length} tags` : null),
  },
  { id: 'LICENSE', find: ({ paths }) => file(paths, /^(licen[cs]es?|copying|unlicense)([.-][\w.-]+)?(\/[^/]+)?$/i) },
  { id: 'CODEOWNERS', find: ({ paths }) => file(paths, /^(\.github\/|\.gitlab\/|docs\/)?codeowners$/i) },
];

/** Six things that a first build needs, the share that is there (OpenSSF badge; our own mix). */
export const buildDocumentation: MetricSource = {
  id: 'build_doc_completeness_pct',
  version: 1,
  reads: (path) => readme.test(path),
  measure(input) {
    const looked = wanted.map(({ id, find }) => ({ id, found: find(input) }));
    const there = looked.filter(({ found }) => found !== null);
    return {
      value: (100 * there.length) / wanted.length,
      numerator: there.length,
      denominator: wanted.length,
      evidence: looked.map(({ id, found }) =>
        found !== null && input.paths.includes(found)
          ? { path: found, note: id }
          : { note: found === null ? `missing: ${id}` : `${id}: ${found}` },
      ),
    };
  },
};

const file = (paths: readonly string[], pattern: RegExp) => paths.find((path) => pattern.test(path)) ?? null;

/** Only headings: a word in the middle of a sentence explains nothing. */
function readmeWith({ paths, text }: MetricInput, pattern: RegExp): string | null {
  return (
    paths.find((path) => readme.test(path) && headingsOf(text(path) ?? '').some((line) => pattern.test(line))) ?? null
  );
}

function headingsOf(text: string): string[] {
  const lines = text.split('\n');
  return lines.filter(
    (line, index) => /^(#{1,6}\s|=+\s)/.test(line) || /^(=|-|~|\^){3,}\s*$/.test(lines[index + 1] ?? ''),
  );
}

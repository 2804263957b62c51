import { isReadme } from '../../manifests/readme.ts';
import type { MetricInput, MetricSource } from '../metric.ts';
import { foundServices, namesServices } from './found-services.ts';

/** Distinct services of third parties, clouds and infrastructure that the repository depends on (rules as specfy/stack-analyser). */
export const externalServiceCount: MetricSource = {
  id: 'external_service_count',
  version: 1,
  reads: (path) => namesServices(path) || isReadme(path),
  measure(input) {
    if (input.files.length === 0) return { value: null, reason: 'no_source_code' };
    const found = foundServices(input);
    const documented = documentation(input);
    return {
      value: found.length,
      numerator: found.length,
      evidence: found.map(({ id, path, line, by }) => ({ path, line, note: `${id}: ${by}` })),
      quantities: {
        undocumented: found.filter(({ id }) => !documented.includes(id.replaceAll('-', ' '))).length,
        // By which a portfolio's services are told.
        ...Object.fromEntries(found.map(({ id }) => [`kind ${id}`, 1])),
      },
    };
  },
};

/** What the READMEs say, in words. */
function documentation({ paths, text }: MetricInput): string {
  return paths
    .filter(isReadme)
    .map((path) => (text(path) ?? '').toLowerCase().replaceAll(/[^a-z0-9]+/g, ' '))
    .join(' ');
}

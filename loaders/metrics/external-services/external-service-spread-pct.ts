import type { MetricInput, MetricSource } from '../metric.ts';
import { foundServices } from './found-services.ts';
import { serviceOfPackage } from './services.ts';

/** A service that is used in more folders than this is not behind one adapter. */
const fewFolders = 3;

/** Folders of production source, two levels deep, in which a service's SDK is imported directly, of all (efferent coupling; our own formula). */
export const externalServiceSpread: MetricSource = {
  id: 'external_service_spread_pct',
  version: 1,
  measure(input) {
    if (input.files.length === 0) return { value: null, reason: 'no_source_code' };
    if (foundServices(input).length === 0) return { value: null, reason: 'nothing_to_measure', notApplicable: true };
    const folders = new Set(input.files.filter(({ test }) => !test).map(({ path }) => folderOf(path)));
    if (folders.size === 0) return { value: null, reason: 'no_source_code' };
    const uses = usesOf(input);
    const coupled = new Set([...uses.values()].flatMap((each) => [...each.keys()]));
    return {
      value: (100 * coupled.size) / folders.size,
      numerator: coupled.size,
      denominator: folders.size,
      evidence: [...uses].flatMap(([service, places]) =>
        Array.from(places, ([folder, { path, line }]) => ({ path, line, note: `${service} in ${folder || '/'}` })),
      ),
      quantities: { spread_services: [...uses.values()].filter((places) => places.size > fewFolders).length },
    };
  },
};

type Place = { path: string; line: number };

/** Each service's folders with the first import there. */
function usesOf({ documents, files }: MetricInput): Map<string, Map<string, Place>> {
  const production = new Set(files.filter(({ test }) => !test).map(({ path }) => path));
  const uses = new Map<string, Map<string, Place>>();
  for (const document of documents) {
    const { path } = document;
    if (!production.has(path)) continue;
    for (const { module, line } of document.facts.imports) {
      const service = serviceOfModule(module);
      if (service === null) continue;
      const places = uses.get(service) ?? new Map<string, Place>();
      uses.set(service, places);
      if (!places.has(folderOf(path))) places.set(folderOf(path), { path, line });
    }
    document.release?.();
  }
  return new Map([...uses].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** `@aws-sdk/client-s3/x`, `boto3.session`, `com.stripe.model.Charge`: the longest beginning that a service is known by. */
function serviceOfModule(module: string): string | null {
  if (module.startsWith('.')) return null;
  const separator = module.includes('/') ? '/' : '.';
  const parts = module.split(separator);
  for (let length = parts.length; length > 0; length -= 1) {
    const service = serviceOfPackage(parts.slice(0, length).join(separator));
    if (service !== null) return service;
  }
  return null;
}

const folderOf = (path: string) => path.split('/').slice(0, -1).slice(0, 2).join('/');

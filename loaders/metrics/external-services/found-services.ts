import type { MetricInput } from '../metric.ts';
import { serviceOfImage, serviceOfPackage, serviceOfProvider, serviceOfVariable } from './services.ts';

/** A service and where it was seen first. */
export interface FoundService {
  id: string;
  path: string;
  line: number | null;
  by: string;
}

const compose = /(^|\/)(docker-)?compose[^/]*\.ya?ml$/;
const environment = /(^|\/)\.env(\.(example|sample|template|dist|defaults?|local|development|production|test))?$/;
const terraform = /\.tf$/;

/** Files that name services without being manifests. */
export const namesServices = (path: string): boolean =>
  compose.test(path) || environment.test(path) || terraform.test(path);

/** The services that a repository uses: by its dependencies, containers, environment variables and Terraform's providers. */
export function foundServices({
  requires,
  paths,
  text,
}: Pick<MetricInput, 'requires' | 'paths' | 'text'>): FoundService[] {
  const found = new Map<string, FoundService>();
  const note = (id: string | null, path: string, line: number | null, by: string) => {
    if (id !== null && !found.has(id)) found.set(id, { id, path, line, by });
  };
  for (const { name, path, line } of requires) note(serviceOfPackage(name), path, line, name);
  for (const path of paths.filter(namesServices)) {
    for (const [index, row] of (text(path) ?? '').split('\n').entries()) {
      if (row.length > 1_000) continue;
      const line = index + 1;
      if (compose.test(path)) {
        const image = /^\s*image:\s*["']?([^\s"'#]+)/.exec(row)?.[1];
        if (image !== undefined) note(serviceOfImage(image), path, line, image);
      } else if (environment.test(path)) {
        const name = /^\s*(?:export\s+)?([A-Z][A-Z0-9_]+)\s*=/.exec(row)?.[1];
        if (name !== undefined) note(serviceOfVariable(name), path, line, name);
      } else {
        const provider = /^\s*provider\s+"([\w-]+)"/.exec(row)?.[1];
        if (provider !== undefined) note(serviceOfProvider(provider), path, line, `provider ${provider}`);
      }
    }
  }
  return [...found.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

import services from '../../reference-data/services.json' with { type: 'json' };

/** A third party's service, a cloud's, or infrastructure that somebody must run; by what gives it away. */
interface Service {
  id: string;
  /** Names of packages, without their ecosystem: whole, or up to a `*`. */
  packages: readonly string[];
  /** Of containers, without registry and tag. */
  images?: readonly string[];
  /** Beginnings of environment variables' names. */
  variables?: readonly string[];
  /** Terraform's provider. */
  provider?: string;
}

const known: readonly Service[] = services;

const exact = new Map<string, string>();
const prefixes: { prefix: string; id: string }[] = [];
for (const { id, packages } of known) {
  for (const name of packages) {
    if (!name.endsWith('*')) {
      if (!exact.has(name)) exact.set(name, id);
    } else prefixes.push({ prefix: name.slice(0, -1), id });
  }
}
const images = new Map(known.flatMap(({ id, images: names = [] }) => names.map((name) => [name, id] as const)));
const variables = known.flatMap(({ id, variables: names = [] }) => names.map((name) => ({ name, id })));
const providers = new Map(known.flatMap(({ id, provider }) => (provider ? [[provider, id] as const] : [])));

/** Which service a package, or the module that it is imported as, belongs to; null for none. */
export function serviceOfPackage(name: string): string | null {
  const key = name.toLowerCase();
  return exact.get(key) ?? prefixes.find(({ prefix }) => key.startsWith(prefix))?.id ?? null;
}

/** Which service a container runs; the tag and, where it is Docker's own, the registry are left out. */
export function serviceOfImage(image: string): string | null {
  const [name = ''] = image.replace(/^(docker\.io\/)?(library\/)?/, '').split('@', 1);
  const tag = name.indexOf(':', name.lastIndexOf('/') + 1);
  return images.get(tag < 0 ? name : name.slice(0, tag)) ?? null;
}

export function serviceOfVariable(name: string): string | null {
  return variables.find((each) => name.startsWith(each.name))?.id ?? null;
}

export function serviceOfProvider(name: string): string | null {
  return providers.get(name) ?? null;
}

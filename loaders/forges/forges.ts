import { z } from 'zod';
import { homes } from '../../src/model/listing.ts';
import type { Forge, ForgeOwner } from '../../src/model/listing.ts';
import { askForge, ForgeError } from './ask-forge.ts';
import type { Asking } from './ask-forge.ts';

/** What a forge says of one of its repositories. */
export interface OfForge {
  /** For good, whatever name it gets. */
  id: string;
  /** `owner/name`; in GitLab with all groups. */
  fullName: string;
  address: string;
  fork: boolean;
  archived: boolean;
  /** It has no commit, so there is nothing to load. */
  empty: boolean;
}

interface ForgeApi {
  api: (origin: string) => string;
  headers: (token: string) => Record<string, string>;
  /** Who git says it is, when its password is the token. */
  username: string;
  /** The first page; several where the name may be of one kind or another, which is found out by a 404. */
  firstPages: (path: string) => string[];
  /** The next page: GitHub, GitLab and Gitea say it in `Link` (RFC 8288), Bitbucket in the body. */
  read: (body: unknown) => { repositories: OfForge[]; next?: string | undefined };
}

const flag = z.boolean().nullish();

const github = z.array(
  z.object({ id: z.int(), full_name: z.string(), clone_url: z.string(), fork: flag, archived: flag }),
);
const gitlab = z.array(
  z.object({
    id: z.int(),
    path_with_namespace: z.string(),
    http_url_to_repo: z.string(),
    archived: flag,
    empty_repo: flag,
    forked_from_project: z.unknown().optional(),
  }),
);
const gitea = z.array(
  z.object({ id: z.int(), full_name: z.string(), clone_url: z.string(), fork: flag, archived: flag, empty: flag }),
);
const bitbucket = z.object({
  next: z.string().optional(),
  values: z.array(
    z.object({
      uuid: z.string(),
      full_name: z.string(),
      parent: z.unknown().optional(),
      links: z.object({ clone: z.array(z.object({ name: z.string(), href: z.string() })) }),
    }),
  ),
});

/** How each forge is asked for what it has. */
export const apis: Record<Forge, ForgeApi> = {
  // https://docs.github.com/en/rest/repos/repos
  github: {
    // One with data residency has its API at a host of its own, as GitHub itself has; a server has it behind its address.
    api: (origin) =>
      origin === homes.github || new URL(origin).hostname.endsWith('.ghe.com')
        ? origin.replace('://', '://api.')
        : `${origin}/api/v3`,
    headers: (token) => ({ authorization: `Bearer ${token}`, 'x-github-api-version': '2022-11-28' }),
    username: 'x-access-token',
    firstPages: (path) => [`orgs/${path}/repos?type=all&per_page=100`, `users/${path}/repos?type=owner&per_page=100`],
    read: (body) => ({
      repositories: github.parse(body).map(({ id, full_name: fullName, clone_url: address, fork, archived }) => ({
        id: String(id),
        fullName,
        address,
        fork: fork === true,
        archived: archived === true,
        empty: false,
      })),
    }),
  },
  // https://docs.gitlab.com/api/groups/#list-projects
  gitlab: {
    api: (origin) => `${origin}/api/v4`,
    headers: (token) => ({ authorization: `Bearer ${token}` }),
    username: 'oauth2',
    firstPages: (path) => {
      const name = encodeURIComponent(path);
      const asked = 'order_by=id&sort=asc&per_page=100';
      return [
        `groups/${name}/projects?include_subgroups=true&with_shared=false&${asked}`,
        `users/${name}/projects?${asked}`,
      ];
    },
    read: (body) => ({
      repositories: gitlab.parse(body).map((each) => ({
        id: String(each.id),
        fullName: each.path_with_namespace,
        address: each.http_url_to_repo,
        fork: each.forked_from_project !== undefined && each.forked_from_project !== null,
        archived: each.archived === true,
        empty: each.empty_repo === true,
      })),
    }),
  },
  // https://docs.gitea.com/api/
  gitea: {
    api: (origin) => `${origin}/api/v1`,
    headers: (token) => ({ authorization: `token ${token}` }),
    username: 'oauth2',
    firstPages: (path) => [`orgs/${path}/repos?limit=50`, `users/${path}/repos?limit=50`],
    read: (body) => ({
      repositories: gitea.parse(body).map(({ id, full_name: fullName, clone_url: address, fork, archived, empty }) => ({
        id: String(id),
        fullName,
        address,
        fork: fork === true,
        archived: archived === true,
        empty: empty === true,
      })),
    }),
  },
  // https://developer.atlassian.com/cloud/bitbucket/rest/api-group-repositories/
  bitbucket: {
    api: (origin) => (origin === homes.bitbucket ? 'https://api.bitbucket.org/2.0' : `${origin}/2.0`),
    headers: (token) => ({ authorization: `Bearer ${token}` }),
    username: 'x-token-auth',
    firstPages: (path) => [`repositories/${path}?pagelen=100&sort=created_on`],
    read: (body) => {
      const { values, next } = bitbucket.parse(body);
      const repositories = values.map(({ uuid, full_name: fullName, parent, links }) => ({
        id: uuid,
        fullName,
        address: links.clone.find(({ name }) => name === 'https')?.href ?? links.clone[0]?.href ?? '',
        fork: parent !== undefined && parent !== null,
        // Bitbucket archives nothing.
        archived: false,
        empty: false,
      }));
      return { repositories, next };
    },
  },
};

/** More than any forge lets somebody have; who answers with ever more pages is none. */
const maxPages = 1_000;

/** All that an organization, group, workspace or user has, each once. Throws ForgeError where not all of it could be read. */
export async function repositoriesOf(
  { forge, origin, path }: ForgeOwner,
  { token, signal, onWait }: { token: string | null; signal: AbortSignal; onWait?: Asking['onWait'] },
): Promise<OfForge[]> {
  const { api, headers, firstPages, read } = apis[forge];
  const base = `${api(origin)}/`;
  const asking: Asking = {
    origin: new URL(base).origin,
    headers: token === null ? {} : headers(token),
    signal,
    ...(onWait && { onWait }),
  };
  const starts = firstPages(path);
  for (const [index, start] of starts.entries()) {
    try {
      return await allPages(new URL(start, base), asking, read);
    } catch (error) {
      const isOther = error instanceof ForgeError && error.status === 404 && index < starts.length - 1;
      if (!isOther) throw error;
    }
  }
  return [];
}

async function allPages(first: URL, asking: Asking, read: ForgeApi['read']): Promise<OfForge[]> {
  // Pages shift while a repository is made or deleted: one that is on two of them is one.
  const found = new Map<string, OfForge>();
  let next: URL | null = first;
  for (let page = 0; next !== null; page += 1) {
    if (page >= maxPages) throw new ForgeError(`${asking.origin} has more than ${maxPages} pages.`, { retry: false });
    const { body, headers } = await askForge(next, asking);
    const { repositories, next: told } = readable(body, asking.origin, read);
    for (const repository of repositories) found.set(repository.id, repository);
    const after = told ?? linkTo('next', headers.get('link'));
    next = after === null ? null : new URL(after, next);
  }
  return [...found.values()];
}

function readable(body: unknown, origin: string, read: ForgeApi['read']) {
  try {
    return read(body);
  } catch (cause) {
    throw new ForgeError(`${origin} answered what no forge of this kind answers: check which kind it is.`, {
      retry: false,
      cause,
    });
  }
}

/** Where a `Link` header leads: `<https://…?page=2>; rel="next", …`. */
function linkTo(relation: string, header: string | null): string | null {
  for (const part of (header ?? '').split(',')) {
    const [target = '', ...parameters] = part.split(';').map((each) => each.trim());
    if (parameters.includes(`rel="${relation}"`) && target.startsWith('<') && target.endsWith('>'))
      return target.slice(1, -1);
  }
  return null;
}

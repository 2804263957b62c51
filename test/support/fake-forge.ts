import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Forge } from '../../src/model/listing.ts';
import { leastOf, undescribed } from './described-by-forge.ts';
import { temporaryFolder } from './git-repository.ts';
import { answerGit } from './git-server.ts';

interface Hosted {
  id: number;
  name: string;
  fork: boolean;
  archived: boolean;
}

/** An answer in place of the next one. */
interface Instead {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

/** So many repositories are on a page, however many are asked for. */
const pageSize = 3;
const owner = 'acme';

/** How a forge lists what an owner has. */
interface Listing {
  forge: Forge;
  /** The address of its API on a host of one's own. */
  api: string;
  /** Behind that. */
  path: RegExp;
  shape: (each: Hosted) => object;
  wrap?: (values: object[], next?: string) => object;
  refusal: (message: string) => object;
}

/**
 * One owner's repositories as GitHub, GitLab, Gitea and Bitbucket list them, and over git; for nobody without the token. Whatever it is
 * asked and answers by itself is held against the forge's own description: `close` throws where something is not as that says.
 */
export async function serveForge(token: string) {
  const folder = temporaryFolder();
  const hosted: Hosted[] = [];
  const instead: Instead[] = [];
  const asked: { path: string; authorization: string | undefined }[] = [];
  const fetched = new Map<string, number>();
  const drifts = new Set<string>();
  let origin = '';
  const clone = ({ name }: Hosted) => `${origin}/${owner}/${name}.git`;
  const fullName = ({ name }: Hosted) => `${owner}/${name}`;

  const lists: Listing[] = [
    {
      forge: 'github',
      api: '/api/v3',
      path: /^\/orgs\/acme\/repos$/,
      shape: (each) => ({
        ...(leastOf('github', '#/components/schemas/minimal-repository') as object),
        ...each,
        full_name: fullName(each),
        clone_url: clone(each),
      }),
      refusal: (message) => ({ message }),
    },
    {
      forge: 'gitlab',
      api: '/api/v4',
      path: /^\/groups\/acme\/projects$/,
      shape: ({ fork, ...each }) => ({
        id: each.id,
        path_with_namespace: fullName({ fork, ...each }),
        http_url_to_repo: clone({ fork, ...each }),
        archived: each.archived,
        ...(fork ? { forked_from_project: { id: 1 } } : {}),
      }),
      refusal: (message) => ({ message }),
    },
    {
      forge: 'gitea',
      api: '/api/v1',
      path: /^\/orgs\/acme\/repos$/,
      shape: (each) => ({ ...each, full_name: fullName(each), clone_url: clone(each), empty: false }),
      refusal: (message) => ({ message }),
    },
    {
      forge: 'bitbucket',
      api: '/2.0',
      path: /^\/repositories\/acme$/,
      shape: (each) => ({
        type: 'repository',
        uuid: `{${each.id}}`,
        full_name: fullName(each),
        ...(each.fork ? { parent: { type: 'repository', uuid: '{1}' } } : {}),
        links: {
          clone: [
            { name: 'https', href: clone(each).replace('://', '://ann@') },
            { name: 'ssh', href: 'ssh://git@example.com/a/b' },
          ],
        },
      }),
      wrap: (values, next) => ({ values, ...(next === undefined ? {} : { next }) }),
      refusal: (message) => ({ type: 'error', error: { message } }),
    },
  ];

  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', origin);
    const { authorization } = request.headers;
    const spoken = lists.find(({ api }) => url.pathname.startsWith(`${api}/`));
    const path = url.pathname.slice(spoken?.api.length);
    const name = /^\/acme\/([\w.-]+)\.git\//.exec(url.pathname)?.[1];
    const repository = hosted.find((each) => each.name === name);
    if (name !== undefined) {
      const basic = Buffer.from((authorization ?? '').replace('Basic ', ''), 'base64').toString();
      if (!basic.endsWith(`:${token}`)) return refuse(response, 401, { 'www-authenticate': 'Basic realm="git"' });
      if (repository === undefined) return refuse(response, 404);
      const bare = url.pathname.replace(`/acme/${name}.git`, `/${repository.id}.git`);
      if ((await answerGit(folder, bare, request, response)) === 'fetch')
        fetched.set(name, (fetched.get(name) ?? 0) + 1);
      return;
    }
    asked.push({ path: url.pathname, authorization });
    const next = instead.shift();
    if (next !== undefined) return void response.writeHead(next.status, next.headers).end(next.body);
    if (spoken === undefined) return refuse(response, 404);
    const say = (status: number, body: object, headers: Record<string, string> = {}) => {
      const sent = { headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
      const exchange = { method: request.method ?? '', path, query: url.searchParams, status, ...sent };
      const problems = undescribed(spoken.forge, exchange);
      for (const problem of problems) drifts.add(`${spoken.forge}: ${problem}`);
      response.writeHead(problems.length === 0 ? status : 500, sent.headers).end(sent.body);
    };
    if (!(authorization ?? '').endsWith(` ${token}`)) return say(401, spoken.refusal('Unauthorized'));
    if (!spoken.path.test(path)) return say(404, spoken.refusal('Not Found'));
    const page = Number(url.searchParams.get('page') ?? 1);
    const rows = hosted.slice((page - 1) * pageSize, page * pageSize).map((each) => spoken.shape(each));
    const more = new URL(url);
    more.searchParams.set('page', String(page + 1));
    const after = hosted.length > page * pageSize ? more.href : undefined;
    if (spoken.wrap) return say(200, spoken.wrap(rows, after));
    say(200, rows, after === undefined ? {} : { link: `<${url.href}>; rel="first", <${after}>; rel="next"` });
  }

  const refuse = (response: ServerResponse, status: number, headers: Record<string, string> = {}) =>
    void response.writeHead(status, headers).end('{}');
  const found = (name: string) => hosted.find((each) => each.name === name)!;

  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let ids = 100;
  return {
    origin,
    owner,
    asked,
    fetched,
    /** With one commit of one file. */
    add(name: string, { fork = false, archived = false } = {}) {
      const id = ++ids;
      const [work, bare] = [join(folder, `${id}`), join(folder, `${id}.git`)];
      mkdirSync(work);
      writeFileSync(join(work, 'a.js'), `export function of${id}() {}\n`);
      const git = (...args: string[]) =>
        execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', '-C', work, ...args]);
      git('init', '--quiet', '--initial-branch=main');
      git('add', '.');
      git('commit', '--quiet', '--message=First');
      git('branch', 'v2');
      git('clone', '--quiet', '--bare', '.', bare);
      hosted.push({ id, name, fork, archived });
    },
    rename: (name: string, to: string) => void (found(name).name = to),
    delete: (name: string) => hosted.splice(hosted.indexOf(found(name)), 1)[0]!,
    putBack: (repository: Hosted) => void hosted.push(repository),
    answerInstead: (...answers: Instead[]) => void instead.push(...answers),
    cloneUrl: (name: string) => clone(found(name)),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      rmSync(folder, { recursive: true, force: true });
      if (drifts.size > 0) throw new Error(`Not as forges describe it:\n${[...drifts].join('\n')}`);
    },
  };
}

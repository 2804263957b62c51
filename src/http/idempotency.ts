import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type Koa from 'koa';
import { HttpError, problemBody, toHttpError } from './errors.ts';
import type { Explain } from './errors.ts';
import { problems } from './problems.ts';
import { Reply } from './route.ts';
import type { Route } from './route.ts';
import type { State } from './state.ts';

/** An answer that can be given again. */
interface StoredAnswer {
  status: number;
  headers: Record<string, string>;
  /** JSON. */
  body: string;
}

/**
 * Does a request once: what it changed and what it was answered are kept by one commit, a throw keeps nothing, and an answer of
 * 400 or more undoes the work and is kept. `in_use`: the first is still at work; `reused`: the key stood for another request.
 */
export type Once = (
  request: {
    organizationId: string;
    key: string;
    fingerprint: Uint8Array;
    method: string;
    route: string;
    requestId: string;
  },
  execute: () => Promise<StoredAnswer>,
) => Promise<'in_use' | 'reused' | { replayed: boolean; answer: StoredAnswer }>;

/** Visible ASCII without the quote and the backslash, so that the raw form and the quoted one (RFC 9651) name the same key. */
const TOKEN = '[!#-\\[\\]-~]{1,255}';
export const keyPattern = `^(${TOKEN}|"${TOKEN}")$`;

/** Answers a request that has an `Idempotency-Key` as its first was answered, or handles it; without a key it is just handled. */
export function idempotency(route: Route, serving: { once: Once; docsBase: string; explain: Explain }) {
  const stored = (reply: Reply<unknown>): StoredAnswer => ({
    status: reply.status ?? route.status ?? 200,
    headers: { ...reply.headers },
    body: JSON.stringify(reply.body ?? null),
  });
  return async (
    ctx: Koa.ParameterizedContext<State>,
    { params, query, signal }: { params: unknown; query: unknown; signal: AbortSignal },
    handle: () => Promise<Reply<unknown>>,
  ): Promise<Reply<unknown>> => {
    const key = keyOf(ctx.req);
    if (key === null) return handle();
    ctx.set('Idempotency-Key', ctx.get('Idempotency-Key'));
    const { caller, requestId } = ctx.state;
    if (caller === null) throw new Error(`${route.operation_id} has no organization whose keys it could keep.`);

    const outcome = await serving.once(
      {
        organizationId: caller.organization.id,
        key,
        fingerprint: fingerprint([
          route.method,
          route.path,
          params,
          query,
          route.assemble?.(ctx.request.body, ctx.headers) ?? ctx.request.body,
        ]),
        method: route.method,
        route: route.path,
        requestId,
      },
      async () => {
        // It may have waited for its turn until the caller was told that it takes too long.
        signal.throwIfAborted();
        const answer = await handle().then(stored, (cause: unknown) => {
          const error = toHttpError(cause, serving.explain);
          if (!isLasting(error.problem.status)) throw cause;
          return refusal(error, { docsBase: serving.docsBase, instance: ctx.path, requestId });
        });
        // So may the handler have; what it did is undone.
        signal.throwIfAborted();
        return answer;
      },
    );
    if (outcome === 'in_use') throw new HttpError(problems.idempotency_key_in_use, { headers: { 'Retry-After': '1' } });
    if (outcome === 'reused') throw new HttpError(problems.idempotency_key_reused);
    const reply = replyOf(outcome);
    if (outcome.answer.status >= 400) ctx.state.problem = codeOf(reply.body);
    return reply;
  };
}

/** The key that was sent, without quotes; null when none was. */
function keyOf(request: IncomingMessage): string | null {
  const [value, ...more] = request.headersDistinct['idempotency-key'] ?? [];
  if (value === undefined) return null;
  if (more.length > 0 || !new RegExp(keyPattern).test(value)) throw new HttpError(problems.invalid_idempotency_key);
  return value.replaceAll('"', '');
}

/** The same for requests that ask for the same, in whichever order their members come. */
function fingerprint(asked: unknown): Uint8Array {
  const sorted = JSON.stringify(asked, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  return createHash('sha256').update(sorted).digest();
}

/** Refused now, and again whenever the same is sent. */
const isLasting = (status: number) => status >= 400 && status < 500 && status !== 409 && status !== 429;

const refusal = (error: HttpError, details: Parameters<typeof problemBody>[1]): StoredAnswer => ({
  status: error.problem.status,
  headers: { ...error.headers },
  body: JSON.stringify(problemBody(error, details)),
});

const replyOf = ({ replayed, answer: { status, headers, body } }: { replayed: boolean; answer: StoredAnswer }) =>
  new Reply<unknown>(JSON.parse(body), {
    status,
    headers: replayed ? { ...headers, 'Idempotent-Replayed': 'true' } : headers,
    ...(status >= 400 ? { type: 'application/problem+json' } : {}),
  });

const codeOf = (problem: unknown) =>
  typeof problem === 'object' && problem !== null && 'code' in problem ? String(problem.code) : null;

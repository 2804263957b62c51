import type Koa from 'koa';
import { problems } from './problems.ts';
import type { Problem } from './problems.ts';

/** What was wrong with one parameter or field. */
export interface FieldError {
  in: 'query' | 'path' | 'header' | 'body';
  name: string | null;
  /** JSON pointer into the body, as a URI fragment. */
  pointer: string | null;
  code: string;
  detail: string;
}

interface Particulars {
  /** One sentence for the caller; never a stack, a statement or an address. */
  detail?: string;
  headers?: Readonly<Record<string, string>>;
  /** More members of the body: `errors`, `required_roles`, `dependency` … */
  members?: Readonly<Record<string, unknown>>;
  cause?: unknown;
}

/** An error that the caller may see; everything else becomes a 500 without detail. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly problem: Problem;
  readonly headers: Readonly<Record<string, string>>;
  readonly members: Readonly<Record<string, unknown>>;
  constructor(problem: Problem, { detail, headers = {}, members = {}, cause }: Particulars = {}) {
    super(detail ?? problem.title, { cause });
    this.problem = problem;
    this.headers = headers;
    this.members = members;
  }
}

/** That the caller's role is none of these. */
export function insufficientRole(role: string, required: readonly string[]): HttpError {
  return new HttpError(problems.insufficient_role, {
    detail: `The role ${role} may not do this.`,
    members: { required_roles: required, role },
  });
}

/** That the caller's key has none of these scopes. */
export function insufficientScope(required: readonly string[]): HttpError {
  return new HttpError(problems.insufficient_scope, {
    detail:
      required.length === 0 ? 'No scope is enough for this.' : `The key needs the scope ${required.join(' or ')}.`,
    members: { required_scopes: required },
  });
}

/** Turns errors that the kernel does not know (a store's, say) into ones that the caller may see; null leaves them a 500. */
export type Explain = (error: unknown) => HttpError | null;

/** Any error as one the caller may see. */
export function toHttpError(error: unknown, explain: Explain): HttpError {
  if (error instanceof HttpError) return error;
  return explain(error) ?? new HttpError(problems.internal_error, { cause: error });
}

/** Where the documentation of a problem is: 401 and 403 lead to the authentication guide, 429 to the quotas. */
function docsUrl({ status, code }: Problem, docsBase: string): string {
  if (status === 401 || status === 403) return `${docsBase}/authentication`;
  if (status === 429) return `${docsBase}/rate-limits`;
  return `${docsBase}/errors/${code}`;
}

/** The body of RFC 9457 for one error. */
export function problemBody(
  { problem, message, members }: HttpError,
  { docsBase, instance, requestId }: { docsBase: string; instance: string; requestId: string },
): Record<string, unknown> {
  return {
    type: `${docsBase}/errors/${problem.code}`,
    title: problem.title,
    status: problem.status,
    detail: message,
    instance,
    code: problem.code,
    docs_url: docsUrl(problem, docsBase),
    request_id: requestId,
    ...members,
  };
}

/** The one place where errors become responses. */
export function problemFunnel(options: {
  docsBase: string;
  realm: string;
  explain: Explain;
  /** Called with what the caller must not see. */
  report: (error: unknown, requestId: string) => void;
}): Koa.Middleware<{ requestId: string; problem: string | null }> {
  return async (ctx, next) => {
    try {
      await next();
    } catch (cause) {
      const error = toHttpError(cause, options.explain);
      const { requestId } = ctx.state;
      // Without a cause it is what the service meant to say: that it has too much to do, say.
      if (error.problem.status >= 500 && error.cause !== undefined) options.report(error.cause, requestId);
      ctx.state.problem = error.problem.code;
      ctx.status = error.problem.status;
      if (error.problem === problems.insufficient_role || error.problem === problems.insufficient_scope)
        ctx.set('WWW-Authenticate', `Bearer realm="${options.realm}", error="insufficient_scope"`);
      ctx.set({ ...error.headers, 'Cache-Control': 'no-store' });
      // What could not be read has no path.
      ctx.body = JSON.stringify(
        problemBody(error, { docsBase: options.docsBase, instance: ctx.path || '', requestId }),
      );
      ctx.type = 'application/problem+json';
    }
  };
}

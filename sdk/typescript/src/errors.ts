/** One parameter or field that is wrong, as the service names it. */
export interface FieldError {
  in: string;
  name: string | null;
  pointer: string | null;
  code: string;
  detail: string;
}

/** The service refused, or failed: an answer of 400 or more (RFC 9457). */
export class ApiError extends Error {
  override readonly name: string = 'ApiError';
  readonly status: number;
  /** What kind of error it is, for programs: part of the contract. `unknown` where what answered is no service of this kind. */
  readonly code: string;
  /** Each parameter or field that is wrong. */
  readonly errors: readonly FieldError[];
  /** Names the request; tell it when you report a problem. */
  readonly requestId: string | null;
  /** The whole body, with the members that this code has. */
  readonly problem: Readonly<Record<string, unknown>>;

  constructor(status: number, problem: Readonly<Record<string, unknown>>, requestId: string | null) {
    const text = (name: string) => (typeof problem[name] === 'string' ? problem[name] : null);
    super(text('detail') ?? text('title') ?? `The service answered ${status}.`);
    this.status = status;
    this.code = text('code') ?? 'unknown';
    this.errors = Array.isArray(problem['errors']) ? (problem['errors'] as FieldError[]) : [];
    this.requestId = requestId;
    this.problem = problem;
  }
}

/** 401: there is no key, or it is none, or it was revoked. */
export class AuthenticationError extends ApiError {
  override readonly name = 'AuthenticationError';
}
/** 403: the key may not do this. */
export class PermissionError extends ApiError {
  override readonly name = 'PermissionError';
}
/** 404 and 410. */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError';
}
/** 409. */
export class ConflictError extends ApiError {
  override readonly name = 'ConflictError';
}
/** 400, 415 and 422: `errors` says what is wrong. */
export class InvalidRequestError extends ApiError {
  override readonly name = 'InvalidRequestError';
}
/** 402 and 429: more than the plan or the rate allows. */
export class LimitError extends ApiError {
  override readonly name = 'LimitError';
}
/** 500 and more. */
export class ServiceError extends ApiError {
  override readonly name = 'ServiceError';
}

const kinds: Readonly<Record<number, typeof ApiError>> = {
  400: InvalidRequestError,
  401: AuthenticationError,
  402: LimitError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  410: NotFoundError,
  415: InvalidRequestError,
  422: InvalidRequestError,
  429: LimitError,
};

/** The error that an answer is; its body is read. */
export async function errorOf(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => null);
  const problem = typeof body === 'object' && body !== null ? { ...body } : {};
  const Kind = kinds[response.status] ?? (response.status >= 500 ? ServiceError : ApiError);
  return new Kind(response.status, problem, response.headers.get('x-request-id'));
}

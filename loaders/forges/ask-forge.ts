import { setTimeout as sleep } from 'node:timers/promises';

/** A forge that could not be asked. */
export class ForgeError extends Error {
  override name = 'ForgeError';
  readonly status: number | null;
  /** Whether the same may go well later. */
  readonly retry: boolean;

  constructor(
    message: string,
    { status = null, retry, cause }: { status?: number | null; retry: boolean; cause?: unknown },
  ) {
    super(message, { cause });
    this.status = status;
    this.retry = retry;
  }
}

export interface Asking {
  /** No other origin is sent the token. */
  origin: string;
  headers: Readonly<Record<string, string>>;
  signal: AbortSignal;
  /** Told when a forge wants it slower, in seconds. */
  onWait?: (seconds: number) => void;
}

/** A forge that wants more patience is asked again by the next look. */
const maxWaitSeconds = 300;
const tries = 5;
const timeoutMs = 30_000;
/** A page has at most a hundred repositories, of some 10 KB each. */
const maxBytes = 16 * 1024 * 1024;

/**
 * Asks a forge for one page. It waits as long as the forge says (`Retry-After`, `X-RateLimit-Reset`), follows no redirect to another
 * host, and tries again what may pass. Throws ForgeError.
 */
export async function askForge(
  url: URL,
  { origin, headers, signal, onWait }: Asking,
): Promise<{ body: unknown; headers: Headers }> {
  let at = url;
  for (let attempt = 1; ; attempt += 1) {
    if (at.origin !== origin)
      throw new ForgeError(`${origin} leads to ${at.origin}, which is another host: it is not asked.`, {
        retry: false,
      });
    const response = await fetch(at, {
      headers: { accept: 'application/json', 'user-agent': 'repo-intel', ...headers },
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    }).catch((cause: unknown) => cause as Error);
    signal.throwIfAborted();
    if (response instanceof Error) {
      const distrust = distrustOf(response);
      if (distrust !== null) throw new ForgeError(`${origin}: ${distrust}`, { retry: true, cause: response });
      if (attempt < tries) {
        await sleep(2 ** attempt * 250, undefined, { signal });
        continue;
      }
      throw new ForgeError(`${origin} can't be reached: check the address and the network.`, {
        retry: true,
        cause: response,
      });
    }
    if (response.ok) return { body: await jsonOf(response, origin), headers: response.headers };
    await response.body?.cancel();
    const location = response.headers.get('location');
    if (response.status >= 300 && response.status < 400 && location !== null && attempt < tries) {
      at = new URL(location, at);
      continue;
    }
    const wait = secondsToWait(response, attempt);
    if (wait === null) throw refused(origin, response.status);
    if (wait > maxWaitSeconds || attempt >= tries)
      throw new ForgeError(
        `${origin} answered ${response.status} and wants to be asked again in ${Math.ceil(wait)} s.`,
        {
          status: response.status,
          retry: true,
        },
      );
    onWait?.(wait);
    await sleep(wait * 1_000, undefined, { signal });
  }
}

/** Why the certificate of a forge is not taken, and what to do; null where that is not what failed. */
function distrustOf({ cause }: Error): string | null {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return 'its certificate is of another host: name it as its certificate does.';
  if (code === 'CERT_HAS_EXPIRED') return 'its certificate has ended: it has to be renewed there.';
  if (!/^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w*(?:ISSUER|LEAF)\w*)$/.test(code))
    return null;
  return 'its certificate is of no authority that is known here: name the file of yours in NODE_EXTRA_CA_CERTS, and for git in GIT_SSL_CAINFO.';
}

/** How long a forge wants to be left alone; null where the same would be answered again. */
function secondsToWait({ status, headers }: Response, attempt: number): number | null {
  const isSpent = headers.get('x-ratelimit-remaining') === '0';
  const after = headers.get('retry-after');
  // A 403 of GitHub may mean either; where it is a limit, one of these says so.
  if (status !== 429 && status < 500 && !(status === 403 && (isSpent || after !== null))) return null;
  if (after !== null) {
    const seconds = /^\d{1,9}$/.test(after) ? Number(after) : (Date.parse(after) - Date.now()) / 1_000;
    if (Number.isFinite(seconds)) return Math.max(0, seconds);
  }
  // GitLab has no X- before it.
  const reset = headers.get('x-ratelimit-reset') ?? headers.get('ratelimit-reset');
  if (reset !== null && /^\d{1,12}$/.test(reset) && (isSpent || status === 429))
    return Math.max(0, Number(reset) - Date.now() / 1_000) + 1;
  return 2 ** attempt / 4;
}

function refused(origin: string, status: number): ForgeError {
  const why = {
    401: 'the token is not valid, or has ended',
    403: 'the token may not list this',
    404: 'there is none of this name, or the token may not see it',
  }[status];
  return new ForgeError(`${origin} answered ${status}${why === undefined ? '' : `: ${why}`}.`, {
    status,
    retry: false,
  });
}

async function jsonOf(response: Response, origin: string): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of response.body ?? []) {
      length += chunk.length;
      if (length > maxBytes) throw new ForgeError(`${origin} answered more than 16 MB for one page.`, { retry: false });
      chunks.push(chunk);
    }
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
  } catch (cause) {
    if (cause instanceof ForgeError) throw cause;
    throw new ForgeError(`${origin} did not answer with JSON: check that it is a forge of this kind.`, {
      retry: true,
      cause,
    });
  }
}

import type { Answer, request } from './http.ts';

const headers = ['authorization', 'cookie', 'idempotency-key', 'stripe-signature', 'webhook-signature'];
const fields = ['api_key', 'owner_jwt', 'pairing_code', 'secret'];

/** The secrets of one exchange, which no log may hold: what its headers prove something with, and fields that are shown once. */
export function secretsOf(sent: NonNullable<Parameters<typeof request>[2]>, { text }: Answer): string[] {
  const inHeaders = Object.entries(sent.headers ?? {})
    .filter(([name]) => headers.includes(name.toLowerCase()))
    .flatMap(([, value]) => value)
    .map((value) => value.replace(/^(Bearer|Basic) +/i, ''));
  const inBodies = [String(sent.body ?? ''), text].flatMap((body) =>
    [...body.matchAll(new RegExp(`"(?:${fields.join('|')})":"([^"]+)"`, 'g'))].map(([, value = '']) => value),
  );
  // A short one may stand in a line for another reason.
  return [...inHeaders, ...inBodies].filter(({ length }) => length >= 12);
}

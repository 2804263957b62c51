/** Fields that hold a secret, wherever they stand in a line. */
const fields = [
  'api_key',
  'apiKey',
  'authorization',
  'cookie',
  'idempotency[-_]key',
  'owner_jwt',
  'pairing_code',
  'password',
  'pepper',
  'secret',
  'set-cookie',
  'stripe-signature',
  'webhook-signature',
];

/**
 * What a secret of ours, or of those we talk to, looks like: also the beginning of one, for messages quote parts. What a group
 * holds stays; looking behind instead would take three times as long, for each line.
 */
const shapes = [
  /ris_(?:live|test)_\w{5,}/, // API keys
  /\be(?:yJ|yA|wo|w0K)[\w-]{7,}(?:\.[\w-]*)*/, // JWT
  /\b[BCDFGHJ-NP-TV-Z]{4}-?[BCDFGHJ-NP-TV-Z]{4}-?[BCDFGHJ-NP-TV-Z]{4}\b/, // pairing codes
  /whsec_[\w+/=]+/,
  /\b[prs]k_(?:live|test)_\w+/,
  /\bv1a?[,=][\w+/=]{16,}/, // webhook signatures
  /(\b[Bb](?:earer|asic) +)[\w.~+/=-]+/,
  /(:\/\/)[^\s/@"]+(?=@)/, // user and password of a URL
  new RegExp(String.raw`("(?:${fields.join('|')})":")(?:[^"\\]|\\.)+`),
  new RegExp(String.raw`(\\"(?:${fields.join('|')})\\+":\\+")[^"\\]+`), // JSON in a string
];

/** Replaces in a text what looks like a secret, and these very `values`. The text may be JSON, and stays so. */
export function createRedactor(values: readonly string[] = []): (text: string) => string {
  // What is shorter is no secret, and stands in many a word.
  const known = values.filter(({ length }) => length >= 12).map((value) => inJson(value).replace(/\W/g, '\\$&'));
  const secret = new RegExp([...known, ...shapes.map(({ source }) => source)].join('|'), 'g');
  return (text) => text.replace(secret, '$1$2$3$4[secret]');
}

const inJson = (value: string) => JSON.stringify(value).slice(1, -1);

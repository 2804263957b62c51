/** What stands in for a provider's secret, and could hardly be in one by chance. */
const replaced =
  /example|placeholder|redact|your.?(own|api|key|token|secret|access)|x{4}|\*{3}|\.{3}|(?<one>.)\k<one>{5}|0123456|1234567|eyJzdWIiOiIxMjM0NTY3ODkw/i;
/** What people write for a secret of their own that is none. */
const pretended =
  /sample|dummy|change.?(me|this|it)|your.?(password|auth)|insecure|not.?(a.?)?(real|secret)|fake|mock|test|demo|todo|secret|password|123456|abcdef|qwerty|lorem|(?<one>.)\k<one>{3}/i;

const allPretended = new RegExp(pretended, 'gi');

/** Whether a text in a provider's form was written to stand for a secret. */
export function isPlaceholder(text: string): boolean {
  return replaced.test(text) || isSequence(text);
}

/** Whether what is assigned to a secret's name was; it may be looked at more strictly. */
export function isPretended(text: string): boolean {
  return pretended.test(text) || isPlaceholder(text);
}

/** What is left of a text without the words that say that it is no secret. */
export const withoutPretence = (text: string): string => text.replaceAll(allPretended, '');

/** Most characters follow the one before: `abcdefgh`, `0987654321`. */
function isSequence(text: string): boolean {
  let steps = 0;
  for (let at = 1; at < text.length; at++)
    if (Math.abs(text.charCodeAt(at) - text.charCodeAt(at - 1)) === 1) steps += 1;
  return steps > text.length / 2;
}

/** Shannon's, in bits a character. */
export function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

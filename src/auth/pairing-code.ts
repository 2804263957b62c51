import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';

/** Letters that are told apart when read aloud, and spell no words (RFC 8628, 6.1). */
const alphabet = 'BCDFGHJKLMNPQRSTVWXZ';

/** A code that a person carries from one screen to another. */
export interface PairingCode {
  /** The first four letters: they find the pairing, and are no secret. */
  selector: string;
  /** The other eight: 34.5 bits, of which five guesses are allowed. */
  secret: string;
}

export function generatePairingCode(): PairingCode {
  return { selector: letters(4), secret: letters(8) };
}

/** As it is shown: `WDJB-MJHT-KQRZ`. */
export const formatPairingCode = ({ selector, secret }: PairingCode): string =>
  `${selector}-${secret.slice(0, 4)}-${secret.slice(4)}`;

/** Forgives case, spaces and dashes; null for what can't be a code. */
export function parsePairingCode(text: string): PairingCode | null {
  const [, selector, secret] = codeForm.exec(text.toUpperCase().replaceAll(/[\s-]/g, '')) ?? [];
  return selector === undefined || secret === undefined ? null : { selector, secret };
}

const codeForm = new RegExp(`^([${alphabet}]{4})([${alphabet}]{8})$`);

/** What is stored of a code. Under the pepper, for its secret could be found by trying. */
export function digestPairingCode({ selector, secret }: PairingCode, pepper: string): Uint8Array {
  return createHmac('sha256', pepper).update(`cli pairing ${selector} ${secret}`).digest();
}

/** In a time that does not tell how much of them is the same. */
export const isSameDigest = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && timingSafeEqual(one, other);

const letters = (count: number) =>
  Array.from({ length: count }, () => alphabet.charAt(randomInt(alphabet.length))).join('');

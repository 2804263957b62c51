import { getRandomValues } from 'node:crypto';
import { ulid } from 'ulid';

// A request is not to wait for sixteen calls of the system.
const bytes = new Uint8Array(1_024);
let used = bytes.length;

function random(): number {
  if (used === bytes.length) {
    getRandomValues(bytes);
    used = 0;
  }
  return (bytes[used++] ?? 0) / 256;
}

/** A new id of a request. */
export const newRequestId = () => `req_${ulid(undefined, random)}`;

/** Where each message of PostgreSQL's wire protocol begins and ends: a letter, four bytes of length, the rest. */
export function* wireMessages(bytes: Uint8Array): Generator<{ type: string; start: number; end: number }> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let start = 0; start < bytes.length;) {
    const end = start + 1 + view.getUint32(start + 1);
    yield { type: String.fromCharCode(view.getUint8(start)), start, end };
    start = end;
  }
}

/** The first message of a connection has no letter: its length begins with a zero. */
export function isStartup(bytes: Uint8Array): boolean {
  return bytes[0] === 0;
}

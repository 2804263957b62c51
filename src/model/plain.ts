// Names and messages come from repositories, and may hold what steers a terminal, turns text around or hides a part of it.

/** On one line, with all that can't be seen as its code: `\u{1b}`. */
export const plain = (text: string): string => text.replaceAll(/[\p{C}\u2028\u2029]/gu, codeOf);

/** Likewise, of several lines: what steers a terminal (ESC and the like) or turns text around; lines, tabs and the rest stay. */
export const plainLines = (text: string): string =>
  text.replaceAll(steering, (found) => (kept.has(found) ? found : codeOf(found)));

/** JSON that can be printed, and means the same. */
export const plainJson = (value: unknown): string =>
  JSON.stringify(value).replaceAll(
    steering,
    (found) => `\\u${(found.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );

// oxlint-disable-next-line no-control-regex -- they are what is looked for
const steering = /\r(?!\n)|[\u0000-\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
const kept = new Set(['\n', '\t']);
const codeOf = (character: string) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`;

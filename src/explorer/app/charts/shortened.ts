/** A letter is about so wide. */
const letter = 7.6;

/** What of a name has room in so many pixels. */
export function shortened(name: string, width: number): string {
  const letters = Math.floor(width / letter);
  return name.length <= letters ? name : `${name.slice(0, Math.max(1, letters - 1))}…`;
}

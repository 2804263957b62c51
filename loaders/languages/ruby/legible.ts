/** Nothing that can be appended to stands before: `class<<self`, `return<<TEXT`. */
const words = String.raw`class|return|and|or|not|if|elsif|unless|while|until|when|then|else|do|in|case|begin|ensure|rescue`;
/** Appending without spaces, `text<<"more"`, which the grammar takes for a heredoc that begins and eats the rest of the file. */
const append = new RegExp(String.raw`(?<=[\w\])}"'?!])(?<!\b(?:${words}))<<(?=["'\`A-Za-z_])`, 'g');

/**
 * Writes what is appended without spaces with another operator, of which no calls are told; every character keeps its place. Ruby takes
 * none of these for a heredoc either, behind a method's name (`puts<<TEXT`) no more than behind a variable's.
 */
export function legible(source: string): string {
  return source.includes('<<') ? source.replace(append, '**') : source;
}

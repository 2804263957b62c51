/**
 * How facts name a method. Methods and fields have separate name spaces: `size` and `size()` of one class are two members,
 * and no local variable hides a method.
 */
export function method(name: string): string {
  return `${name}()`;
}

/** Member under which a class keeps its constructors; no method can have that name. */
export const constructorName = 'new()';

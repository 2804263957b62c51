/** What a SCIP symbol says by itself: `scip-typescript npm rxjs 7.8.2 src/`Subject.ts`/Subject#next().` */
export interface SymbolParts {
  /** Name of its package: `rxjs`. */
  package: string;
  name: string;
}

/** Where making an instance is a call of this, the class is what is called. */
const constructor = /(?:`<constructor>`|`<init>`|`\.ctor`)\([^)]*\)\.$/u;
/** A descriptor: a name, plain or in backticks, and what it is by the sign after it; those of types and parameters stand in brackets. */
// Bounded: a symbol of an index that its compiler made for who loads it.
const descriptor = /(?:`((?:[^`]|``)*)`|([\w+$-]+))(?:\([^)]*\)\.|[/#.:!])|\[[^\]]*\]|\([^)]*\)/gu;

/** Takes a symbol apart; null for one that is no definition's: a parameter's, a type parameter's. */
export function partsOf(symbol: string): SymbolParts | null {
  // Fields are separated by a space; two of them stand for one that is part of it.
  const [, , packageName = '', , ...rest] = symbol.replaceAll('  ', '\u0000').split(' ');
  const names: (string | undefined)[] = [];
  for (const [whole, quoted, plain] of rest.join(' ').matchAll(descriptor)) {
    const isName = !/^[[(]/u.test(whole);
    names.push(isName ? (quoted?.replaceAll('``', '`') ?? plain ?? '').replaceAll('\u0000', ' ') : undefined);
  }
  const name = names.at(-1);
  return name === undefined ? null : { package: packageName, name };
}

/** The class of a constructor; any other symbol itself. */
export const withoutConstructor = (symbol: string): string => symbol.replace(constructor, '');

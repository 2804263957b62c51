import type { HierarchyAnswer } from '../../../graph/hierarchy.ts';
import { hrefOf } from '../router.ts';

type Part = HierarchyAnswer['parts'][number];

/** Into a part, or to its code where nothing is inside it. */
export const hrefOfPart = (repository: string, { id, kind, symbol, path, parts }: Part, more = {}) =>
  parts > 0 && kind !== 'function'
    ? hrefOf('inside', { repo: repository, at: id, ...more })
    : symbol === null
      ? hrefOf('code', { repo: repository, path })
      : hrefOf('code', { symbol });

import type { Requirement } from '../../src/model/snapshot.ts';
import type { ManifestFormat } from './manifest.ts';

/** Go's go.mod; what only other modules need (`// indirect`) is not asked for by this one. */
export const goMod: ManifestFormat = {
  matches: (path) => /(^|\/)go\.mod$/.test(path),
  read(text, path) {
    let name: string | undefined;
    let block = '';
    const requires: Requirement[] = [];
    for (const [index, written] of text.split(/\r?\n/).entries()) {
      const [code = '', comment = ''] = written.split('//', 2);
      const [first = '', ...rest] = code.trim().split(/\s+/).map(unquote);
      if (block !== '' && first === ')') block = '';
      else if (rest[0] === '(') block = first;
      else {
        const [verb, ...values] = block === '' ? [first, ...rest] : [block, first, ...rest];
        const [module, version] = values;
        if (verb === 'module' && module) name = module;
        if (verb === 'require' && module && !comment.trim().startsWith('indirect')) {
          const range = version ?? null;
          requires.push({ ecosystem: 'go', name: module, range, scope: 'runtime', path, line: index + 1, imports: 0 });
        }
      }
    }
    return { publishes: name === undefined ? [] : [{ ecosystem: 'go', name }], requires, description: {} };
  },
};

const unquote = (word: string) => word.replace(/^(["`])(.*)\1$/, '$2');

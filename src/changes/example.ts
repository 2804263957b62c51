import type { Change } from '../model/change.ts';

const none = { total: 0, items: [] };

/** A change as the documentation shows it. */
export const changeExample: Change = {
  repository: 'payments-api',
  base: '5d41402abc4b2a76b9719d911017c592ae1f0f3b',
  head: '7d793037a0760186574b0282f2f435e7c2c1b1a0',
  notes: [],
  only_comments: false,
  files: { total: 1, items: [{ path: 'src/url.ts', old_path: null, status: 'changed', what: 'code' }] },
  symbols: {
    added: none,
    removed: none,
    changed: {
      total: 1,
      items: [
        {
          id: 'src/url.ts#parseUrl',
          name: 'parseUrl',
          kind: 'function',
          path: 'src/url.ts',
          line: 12,
          end_line: 20,
          signature: 'parseUrl(text: string, base: URL): URL',
          exported: true,
          test: false,
          parts: ['signature', 'body'],
          before: {
            id: 'src/url.ts#parseUrl',
            path: 'src/url.ts',
            line: 12,
            signature: 'parseUrl(text: string): URL',
          },
        },
      ],
    },
  },
  edges: { gained: none, lost: none },
  affected: {
    total: 1,
    items: [
      {
        id: 'src/pay.ts#pay',
        name: 'pay',
        path: 'src/pay.ts',
        line: 3,
        test: false,
        depth: 1,
        way: ['src/pay.ts#pay', 'src/url.ts#parseUrl'],
      },
    ],
    by_depth: [1],
  },
  broken: none,
  elsewhere: none,
  tests: { reaching: none, untested: none },
  endpoints: { added: none, broken: none },
  models: { added: none, broken: none },
  dependencies: none,
  license: { before: 'MIT', after: 'MIT' },
  people: { total: 1, items: [{ name: 'Anna Berg', files: 1 }] },
  diligence: null,
};

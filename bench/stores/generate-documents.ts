import type { SearchDocument } from '../../src/model/search-document.ts';
import { randomOf } from './generate.ts';

/** Search documents of many repositories whose words are as frequent as in real source: the same count gives the same documents. */
export interface DocumentCorpus {
  repositories: readonly string[];
  documents(repository: number): Generator<SearchDocument>;
}

const REPOSITORIES = 500;
/** Of 1,000,000 real symbols about so many parts of names are different. */
const WORDS = 30_000;
const BEGINNINGS = 'b c d f g h l m n p r s t v w br cl cr dr fl gr pl pr sc sh sp st str tr wr'.split(' ');
const VOWELS = ['a', 'e', 'i', 'o', 'u', 'ai', 'ea', 'io'];
const ENDINGS = ['', 'l', 'n', 'r', 's', 't', 'ck', 'nd', 'nt', 'rt', 'st'];

/**
 * About so many documents: classes, functions with their classes, prose for a third. The word of rank r is as frequent as
 * 1 / (r + 2): the first is 3.6 % of all parts of names, the tenth 0.9 %; of seven real packages' 4.2 % (`test`) and 1.0 %.
 */
export function generateDocuments(count: number): DocumentCorpus {
  const words = vocabulary();
  const shares = Array.from({ length: REPOSITORIES }, (_, i) => 1 / (i + 10));
  const sum = shares.reduce((a, b) => a + b, 0);
  const repositories = shares.map((_, i) => `${words[i % 200]}-${i}`);
  return {
    repositories,
    *documents(index) {
      const repository = repositories[index] ?? '';
      const random = randomOf(`documents of ${repository}`);
      const word = () => words[Math.floor(3 * ((WORDS + 2) / 3) ** random()) - 3] ?? 'x';
      const camel = (parts: number) => {
        const [first = '', ...rest] = Array.from({ length: parts }, word);
        return first + rest.map(capital).join('');
      };
      let owner = '';
      let path = '';
      const size = Math.max(1, Math.round(((shares[index] ?? 0) / sum) * count));
      for (let i = 0; i < size; i++) {
        if (i % 20 === 0) path = `src/${word()}/${camel(2)}.ts`;
        const isClass = i % 8 === 0;
        const name = isClass ? capital(camel(2)) : camel(1 + Math.floor(random() * 3));
        if (isClass) owner = name;
        const qualified_name = isClass ? name : `${owner}.${name}`;
        yield {
          id: `${repository}/${path}#${qualified_name}@${i}`,
          type: isClass ? 'Class' : 'Function',
          name,
          qualified_name,
          repository,
          path,
          line: 1 + (i % 20) * 12,
          language: index % 3 === 0 ? 'python' : 'typescript',
          kind: isClass ? 'class' : 'method',
          signature: isClass ? null : `${name}(${word()}: string, ${word()}: number): ${capital(word())}`,
          doc: i % 3 === 0 ? Array.from({ length: 9 }, word).join(' ') : null,
          details: null,
          frameworks: [],
          exported: i % 2 === 0,
          centrality: Math.round(random() ** 4 * 1000) / 1000,
          usage: index % 5,
          health: null,
          updated_at: '2026-01-02T03:04:05Z',
          test: random() < 0.2,
        };
      }
    },
  };
}

function vocabulary(): string[] {
  const random = randomOf('vocabulary');
  const one = (from: readonly string[]) => from[Math.floor(random() * from.length)] ?? '';
  const syllable = () => one(BEGINNINGS) + one(VOWELS) + one(ENDINGS);
  const words = new Set<string>();
  while (words.size < WORDS) words.add(Array.from({ length: 1 + Math.floor(random() * 3) }, syllable).join(''));
  return [...words];
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

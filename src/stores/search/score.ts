import type { SearchDocument } from '../../model/search-document.ts';

/** Changes with any number or rule below, or in tokens.ts: an index written under another version is built anew. */
export const SCORE_VERSION = 2;

/**
 * Relevance, 0 to 100: how well the text fits, by where and how it was found. Constants, not statistics of the collection:
 * so that every engine gives the same number, and a hit's score does not change when another repository is loaded.
 */
export const relevance = {
  /** The name or qualified name, letter by letter. */
  exact: 100,
  /** The same, written with other case or separators. */
  sameKey: 96,
  /** What is typed is the beginning of the name or qualified name, likewise: `QuerySe` of `QuerySet`. */
  beginning: 78,
  /** A word of the query: the mean over the words counts. Exact names stay above the best of these, see `boost`. */
  word: {
    name: { whole: 79, prefix: 66 },
    qualified: { whole: 58, prefix: 52 },
    path: { whole: 46, prefix: 41 },
    anywhere: { whole: 34, prefix: 30 },
    /** One or two typos, in the name. */
    typo: 38,
    /** The same where a word of several parts is a name in one but for the typos: `QuerySt`. */
    nearly: 62,
  },
} as const;

/** The share that one word of a query with so many words adds; whole, so that sums are exact on every engine. */
export function wordShare(points: number, words: number): number {
  return Math.floor(points / words);
}

/** Lowest boost: an exact name (96 × 0.85 = 81.6) is always above anything else (79 × 1). */
const LEAST = 0.85;

/** What people look for more often: things before their parts. */
const KINDS: Record<string, number> = {
  Repository: 1,
  Class: 0.8,
  Endpoint: 0.8,
  DataModel: 0.8,
  Framework: 0.7,
  Contributor: 0.7,
  SecurityPattern: 0.5,
  Function: 0.5,
};

/** Recency counts on a fixed scale of years, so that the same document always has the same boost. */
const RECENT = { from: Date.UTC(2010, 0, 1), to: Date.UTC(2030, 0, 1) };

/** The static part, 0.85 to 1, three decimals: composite score = relevance × boost. */
export function boost(document: SearchDocument): number {
  const parts =
    0.4 * document.centrality +
    0.3 * (KINDS[document.type] ?? 0.5) +
    0.1 * recency(document.updated_at) +
    0.2 * brevity(document.name);
  // Tests mention what they test by its name: without this they would fill the first page.
  const weighed = document.test ? 0.2 * parts : parts;
  return Math.round((LEAST + (1 - LEAST) * Math.min(1, weighed)) * 1000) / 1000;
}

function recency(updatedAt: string | null): number {
  const time = updatedAt === null ? NaN : Date.parse(updatedAt);
  if (Number.isNaN(time)) return 0;
  return Math.min(1, Math.max(0, (time - RECENT.from) / (RECENT.to - RECENT.from)));
}

/** Of two names that fit, the shorter holds less that was not asked for. */
function brevity(name: string): number {
  return Math.max(0, 1 - name.length / 60);
}

import type { SearchDocument } from '../../model/search-document.ts';

/** Changes with any number or rule below, or in tokens.ts: an index written under another version is built anew. */
export const SCORE_VERSION = 12;

/**
 * Relevance in hundredths of a point, 0 to 100 points: how well the text fits, by where and how it was found. What one word gives is
 * constant; of several words each has the share that its rarity among the visible documents gives it (wordWeight).
 */
export const relevance = {
  /** The name or qualified name, letter by letter. */
  exact: 10_000,
  /** The same, written with other case or separators. */
  sameKey: 8_800,
  /** Its text has all that is typed as it stands: of several words a message or a comment, of one or two only a word that it uses. */
  quoted: { text: 8_700, words: 3_800 },
  /** What is typed is the beginning of the name, likewise: `QuerySe` of `QuerySet`; or of the qualified one, as of all members. */
  beginning: { name: 7_600, qualified: 6_600 },
  /** The name but for one or two typos. */
  nearlyExact: 6_000,
  /** A word of the query: the mean over the words counts, by their weights. */
  word: {
    /** Names are what people remember. */
    name: { whole: 7_400, prefix: 6_200 },
    /** All letters are typed as capitals on purpose, but few letters fit many names. */
    acronym: { whole: 5_900, prefix: 3_600 },
    qualified: { whole: 5_600, prefix: 4_900 },
    /** `dom/fetch` of `src/dom/fetch.ts`: who types a path means this one, not others with the same parts. */
    pathInOrder: 5_500,
    path: { whole: 4_400, prefix: 3_900 },
    /** Prose mentions what others are. */
    anywhere: { whole: 3_300, prefix: 2_800 },
    /** Words of a sentence alone: what it is made of. */
    everywhere: { whole: 2_400, prefix: 2_000 },
    /** Of a file, if its text were nothing but this word; less by how little of it that is, more by what was said of it (content.ts). */
    content: 6_000,
    /** One or two typos, in the name. */
    typo: 3_700,
    /** The same where a word of several parts is a name in one but for the typos: `QuerySt`. */
    nearly: 5_800,
  },
  /** Of several words, what is no part of tests has so many of the points of all of them in the name. */
  production: 1_600,
  /** Likewise a repository more than that: what is about all of them; and where they ask for one (`http client python`). */
  repository: { any: 800, asked: 2_400 },
  /**
   * Of a declared name. A whole name is just below that of a function or class: with all points of its own (DECLARED_SHARE) it is never
   * above, and above what is found in the next way. By its parts it comes after all names that have them.
   */
  declared: {
    exact: 9_940,
    sameKey: 8_700,
    beginning: { name: 6_190, qualified: 4_890 },
    /** Who describes something in several words means what does it: what has them all comes first, wherever. */
    word: {
      declared: { whole: 6_100, prefix: 4_800, ofSeveral: 2_700 },
      declared_in: { whole: 4_300, prefix: 3_800, ofSeveral: 2_600 },
      declared_anywhere: { whole: 3_200, prefix: 2_700, ofSeveral: 2_500 },
    },
  },
} as const;

/**
 * The share that one word of a query adds, by its part of all words' weight and without what production has for it; whole, so that
 * sums are exact on every engine.
 */
export function wordShare(points: number, weight: number, of: { weight: number; production: number }): number {
  const best = relevance.word.name.whole;
  return Math.floor((points * weight * (best - of.production)) / (of.weight * best));
}

/** Words that say little of what a sentence is about weigh so much of what others do. */
const SMALL_WEIGHT = 0.25;

/** Of a sentence, whose words are whole, a beginning has this share of what it has of a name that is being typed. */
export const PREFIX_OF_SENTENCE = 0.6;
/** Rare words of a sentence weigh less than their rarity says: that all of it fits says more. */
const RARITY_OF_SENTENCE = 0.8;

/** How much a word says that so many of all documents have: its inverse document frequency as BM25 has it, in sixteenths of a bit. */
export function wordWeight(
  found: number,
  all: number,
  { isSmall, isOfSentence }: { isSmall: boolean; isOfSentence: boolean },
): number {
  const bits = Math.log2(1 + (all - found + 0.5) / (found + 0.5));
  const weight = isOfSentence ? bits ** RARITY_OF_SENTENCE : bits;
  return Math.max(1, Math.round(weight * 16 * (isSmall ? SMALL_WEIGHT : 1)));
}

/**
 * What of the 100 points is the text's, the rest being the document's own: an exact name (90) is above one in another spelling
 * (79.2 and at most 10), and that above all others (68.4 and at most 10), whatever else a document has for it.
 */
const TEXT_SHARE = 0.9;
const points = {
  /** What much else leads to is what a name means, most of the time. */
  centrality: 4,
  /** What other repositories are built on is asked for more often. Little, as it is said of whole repositories. */
  usage: 1,
  /** Of two alike the one that is kept in order. Little, as it says nothing of the text. */
  health: 0.5,
  /** Likewise the one that is alive. */
  recency: 0.5,
  /** People look for things more often than for their parts, and for what is seen from outside. */
  kind: 2,
  /** Of two names that fit, the shorter holds less that was not asked for: counted with the text. */
  brevity: 2,
} as const;
/** Tests mention what they test by its name: without this they would fill the first page. */
const TEST_LOSES = 0.9;

/** A declared name or file has so much of the points that another document has of its own. */
const DECLARED_SHARE = 0.05;

/** Things before their parts. */
const KINDS: Record<SearchDocument['type'], number> = {
  Repository: 1,
  Class: 0.8,
  Endpoint: 0.8,
  DataModel: 0.8,
  Framework: 0.7,
  Contributor: 0.7,
  SecurityPattern: 0.5,
  Function: 0.5,
  Declaration: 0.5,
  File: 0.5,
};
/** What is not seen from outside keeps this share. */
const INTERNAL = 0.5;

/** Recency counts on a fixed scale of years, so that the same document always has the same score. */
const RECENT = { from: Date.UTC(2010, 0, 1), to: Date.UTC(2030, 0, 1) };
/** As many repositories as give all points. */
const maxUsed = 64;
/** What is not known is neither good nor bad. */
const HEALTH_UNKNOWN = 0.5;

/**
 * Scores are counted in thousandths of a point, as whole numbers: sums are exact in every engine's arithmetic, and ties are ties.
 * Composite score = relevance × TEXT_UNITS + staticUnits, 0 to 100 000.
 */
const UNITS = 1000;
export const TEXT_UNITS = (TEXT_SHARE * UNITS) / 100;
/** The best score there is. */
export const maxUnits = 100 * UNITS;

/** The lowest whole number of units that is a score of so many points; what the product of decimals is off by does not count. */
export function minUnits(score: number): number {
  return Math.ceil(Number((score * UNITS).toFixed(3)));
}

/** What a composite score is the sum of, in points. */
export interface ScoreBreakdown {
  text: number;
  centrality: number;
  usage: number;
  health: number;
  recency: number;
  kind: number;
  /** 0 or less: of tests. */
  penalty: number;
  /** What the second step of a sentence's search (sentence.ts) adds or takes. */
  sentence: number;
}

/** What a document has for it whatever is looked for, 0 to 10 000 units. */
export function staticUnits(document: SearchDocument): number {
  const { brevity, penalty, ...parts } = staticParts(document);
  return Object.values(parts).reduce((sum, part) => sum + part, brevity + penalty);
}

/** The relevance, the composite score and what that is made of, in points; the last argument is in units. */
export function scoreOf(
  document: SearchDocument,
  relevance: number,
  sentence = 0,
): { document: SearchDocument; relevance: number; score: number; breakdown: ScoreBreakdown } {
  const { brevity, ...parts } = staticParts(document);
  const text = relevance * TEXT_UNITS + brevity;
  const { centrality, usage, health, recency, kind, penalty } = parts;
  return {
    document,
    relevance: relevance / 100,
    score: (text + centrality + usage + health + recency + kind + penalty + sentence) / UNITS,
    breakdown: {
      text: text / UNITS,
      centrality: centrality / UNITS,
      usage: usage / UNITS,
      health: health / UNITS,
      recency: recency / UNITS,
      kind: kind / UNITS,
      penalty: penalty / UNITS,
      sentence: sentence / UNITS,
    },
  };
}

function staticParts(document: SearchDocument) {
  const { centrality, usage, health, updated_at, type, exported, name, test } = document;
  const shares = {
    centrality,
    usage: Math.min(1, Math.log2(1 + usage) / Math.log2(1 + maxUsed)),
    health: health ?? HEALTH_UNKNOWN,
    recency: recency(updated_at),
    kind: KINDS[type] * (exported ? 1 : INTERNAL),
    brevity: Math.max(0, 1 - name.length / 60),
  };
  const all = UNITS * (type === 'Declaration' || type === 'File' ? DECLARED_SHARE : 1);
  const units = (part: keyof typeof shares) => Math.round(shares[part] * points[part] * all);
  const parts = {
    centrality: units('centrality'),
    usage: units('usage'),
    health: units('health'),
    recency: units('recency'),
    kind: units('kind'),
    brevity: units('brevity'),
  };
  const sum = Object.values(parts).reduce((a, b) => a + b);
  return { ...parts, penalty: test ? -Math.round(sum * TEST_LOSES) : 0 };
}

function recency(updatedAt: string | null): number {
  const time = updatedAt === null ? NaN : Date.parse(updatedAt);
  if (Number.isNaN(time)) return 0;
  return Math.min(1, Math.max(0, (time - RECENT.from) / (RECENT.to - RECENT.from)));
}

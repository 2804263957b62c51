import type { DatabaseSync } from 'node:sqlite';
import { levelMark, levelOf } from './marks.ts';
import { inBytes } from './sqlite-few.ts';
import type { Asked, MatchClass } from './sqlite-query.ts';
import { MOST_STATIC_UNITS, relevance, TEXT_UNITS } from './score.ts';

/** A hit before its document is read. */
export interface Ranked {
  key: number;
  relevance: number;
  /** Of the composite score. */
  units: number;
  name: string;
  id: string;
}

/** So many matches are read without asking which are the best. */
const FEW = 500;

/**
 * The best matches of a query of one word by composite score, without reading all of them: class by class, of each those with the highest
 * levels, until no later class can have a better one. What is left out has as many before it as were asked for.
 */
export function prepareBest(database: DatabaseSync) {
  const count = database.prepare('SELECT count(*) AS total FROM words WHERE words MATCH ?');
  const rows = database.prepare(`
    SELECT d.key, d.name, d.qualified_name, d.id, d.static FROM words CROSS JOIN documents d ON d.key = words.rowid
    WHERE words MATCH ?`);
  const levels = database.prepare(
    'SELECT static, count(*) AS count FROM documents WHERE hidden = 0 GROUP BY static ORDER BY static DESC',
  );
  const version = database.prepare('PRAGMA data_version');
  let shares: { at: number; levels: { level: number; above: number }[] } | null = null;

  const countOf = (expression: string) => Number(count.get(expression)?.['total']);

  /** Levels downwards, each with the share of all documents that have it or a higher one; read again when the file has changed. */
  function distribution() {
    const at = Number(version.get()?.['data_version']);
    if (shares?.at === at) return shares.levels;
    const byLevel = new Map<number, number>();
    let all = 0;
    for (const row of levels.all()) {
      const level = levelOf(Number(row['static']));
      byLevel.set(level, (byLevel.get(level) ?? 0) + Number(row['count']));
      all += Number(row['count']);
    }
    let sum = 0;
    shares = { at, levels: [...byLevel].map(([level, some]) => ({ level, above: (sum += some) / all })) };
    return shares.levels;
  }

  /** All of a class, or at least as many as wanted, with none left out that has a higher level. */
  function bestOf({ expression }: MatchClass, wanted: number) {
    const matches = countOf(expression);
    if (matches <= Math.max(FEW, 2 * wanted)) return rows.all(expression);
    const found: ReturnType<typeof rows.all> = [];
    const downwards = distribution();
    for (let from = 0; from < downwards.length && found.length < wanted;) {
      const share = (downwards[from - 1]?.above ?? 0) + (2 * (wanted - found.length)) / matches;
      const next = downwards.findIndex(({ above }) => above >= share);
      const until = next < from ? Math.max(from, downwards.length - 1) : next;
      const marks = downwards.slice(from, until + 1).map(({ level }) => `"${levelMark(level)}"`);
      found.push(...rows.all(`(${expression}) AND marks : (${marks.join(' OR ')})`));
      from = until + 1;
    }
    return found;
  }

  return {
    countOf,

    /** The best so many, in their order. */
    best({ parsed: { text } }: Asked, classes: readonly MatchClass[], wanted: number): Ranked[] {
      const ranked = new Map<number, Ranked>();
      for (const [i, each] of classes.entries()) {
        const most = each.points * TEXT_UNITS + MOST_STATIC_UNITS;
        const better = [...ranked.values()].filter(({ units }) => units > most).length;
        if (i > 0 && better >= wanted) break;
        for (const row of bestOf(each, wanted)) {
          const key = Number(row['key']);
          if (ranked.has(key)) continue;
          const [name, id] = [String(row['name']), String(row['id'])];
          const isText = text !== '' && (name === text || row['qualified_name'] === text);
          // Another text may have the mark of this one.
          if (text !== '' && each.points === relevance.exact && !isText) continue;
          const points = isText ? relevance.exact : each.points;
          ranked.set(key, { key, relevance: points, units: points * TEXT_UNITS + Number(row['static']), name, id });
        }
      }
      return [...ranked.values()]
        .sort((a, b) => b.units - a.units || inBytes(a.name, b.name) || inBytes(a.id, b.id))
        .slice(0, wanted);
    },
  };
}

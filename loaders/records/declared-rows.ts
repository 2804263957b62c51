import { maxPlaces, type DeclaredRow } from '../../src/model/declared-name.ts';
import type { Document } from '../facts/document.ts';
import { createNumberByText } from '../number-by-text.ts';
import { createNumbers } from '../numbers.ts';
import { createPackedTexts } from './packed-texts.ts';

/**
 * The names that the documents declare: one row for each name of a kind and language, apart for tests, in the order in which they are
 * first declared. There may be very many, so all but what is yielded are numbers and packed texts.
 */
export function* declaredRows(documents: readonly Document[], tests: ReadonlySet<string>): Generator<DeclaredRow> {
  const numberOf = createNumberByText();
  /** By row: what it is of in JSON, how often that is declared, its first and its last place. */
  const heads = createPackedTexts();
  const counts = createNumbers();
  const firsts = createNumbers();
  const lasts = createNumbers();
  /** By place: a row's places are a chain. */
  const files = createNumbers();
  const lines = createNumbers();
  const classes = createPackedTexts();
  const nexts = createNumbers();
  for (const [document, { path, facts, release }] of documents.entries()) {
    const test = tests.has(path);
    for (const { kind, name, line, around } of facts.declared) {
      const head = JSON.stringify({ kind, name, language: facts.language, test });
      let row = numberOf.get(head);
      const place = files.length;
      if (row === null) {
        numberOf.set(head, (row = counts.length));
        heads.add(head);
        counts.add(0);
        firsts.add(place);
        lasts.add(place);
      }
      counts.set(row, counts.at(row) + 1);
      if (counts.at(row) > maxPlaces) continue;
      files.add(document);
      lines.add(line);
      classes.add(around);
      nexts.add(0);
      if (place !== lasts.at(row)) nexts.set(lasts.at(row), place);
      lasts.set(row, place);
    }
    release?.();
  }
  for (let row = 0; row < counts.length; row++) {
    const count = counts.at(row);
    const places: DeclaredRow['places'] = [];
    for (let place = firsts.at(row); places.length < Math.min(count, maxPlaces); place = nexts.at(place)) {
      const around = classes.at(place);
      const path = documents[files.at(place)]?.path ?? '';
      places.push({ path, line: lines.at(place), ...(around === '' ? {} : { in: around }) });
    }
    const head = JSON.parse(heads.at(row)) as Pick<DeclaredRow, 'kind' | 'name' | 'language' | 'test'>;
    yield { ...head, count, places };
  }
}

import { stripVTControlCharacters } from 'node:util';
import type { TestStatus } from '../suite.ts';

/** What a report says of one test. */
export interface ReportedTest {
  /** Its parts in a row: the file, groups, the name. */
  id: string;
  status: TestStatus;
}

/** Reads the reports of one form. */
export interface ReportReader {
  /** Takes one file apart; throws where it is none of this form. Nothing in it is believed to be well meant. */
  read(text: string): ReportedTest[];
  /** Tests of the same id are one, with its worst status; else the second is `id #2`. */
  oneById?: boolean;
}

/** A path within the tree, where a runner wrote a whole one: wherever a sandbox had it, its folder was `testbed`. */
export const relative = (path: string) => path.replace(/^(file:\/\/)?\/(?:.*?\/)??testbed\//, '');

/** A name as it is in every run: in one line, without colours and without how long it took. */
export const testName = (name: string) =>
  stripVTControlCharacters(name)
    .replaceAll(/[\r\n\t]+/g, ' ')
    .replace(/ [[(]\d+(\.\d+)? ?(ns|µs|ms|s|m)[\])]\s*$/, '')
    .trim();

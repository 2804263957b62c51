/** Licences lie at the root, or, as reuse.software has it, in a folder where each is named by its SPDX identifier. */
export const isLicenceText = (path: string) =>
  /^((un)?licen[cs]e|copying)([._-][\w.-]*)?$/i.test(path) || /^LICENSES\/[\w.+-]+\.txt$/.test(path);

interface Wording {
  /** By SPDX; without `-only` or `-or-later`, as that stands in the files and not in the licence. */
  id: string;
  /** Each of these is there, as words in small letters. */
  has: readonly string[];
  /** None of these is. */
  without?: readonly string[];
  /** So many words it has. */
  words: number;
}

const bsd = 'redistribution and use in source and binary forms with or without modification are permitted';
const permitted = 'permission is hereby granted free of charge to any person obtaining a copy of this software';
const mitNotice = 'the above copyright notice and this permission notice';
const isc =
  'permission to use copy modify and or distribute this software for any purpose with or without fee is hereby';

/** The licences of nearly all public repositories, by the sentences that tell them apart. */
const wordings: readonly Wording[] = [
  { id: 'MIT', has: [permitted, mitNotice, 'to deal in the software without restriction'], words: 165 },
  { id: 'MIT-0', has: [permitted, 'to deal in the software without restriction'], without: [mitNotice], words: 125 },
  { id: 'ISC', has: [isc, 'provided that the above copyright notice'], words: 115 },
  { id: '0BSD', has: [isc], without: ['provided that'], words: 90 },
  { id: 'BSD-2-Clause', has: [bsd], without: ['neither the name', 'advertising materials', 'endorse or'], words: 185 },
  { id: 'BSD-3-Clause', has: [bsd, 'endorse or promote products'], without: ['advertising materials'], words: 215 },
  { id: 'BSD-4-Clause', has: [bsd, 'all advertising materials mentioning'], words: 240 },
  { id: 'Apache-2.0', has: ['apache license version 2 0 january 2004', 'grant of patent license'], words: 1_580 },
  { id: 'Apache-2.0', has: ['licensed under the apache license version 2 0 the license you may not use'], words: 85 },
  { id: 'GPL-2.0', has: ['gnu general public license version 2 june 1991', 'the program'], words: 2_970 },
  { id: 'GPL-3.0', has: ['gnu general public license version 3 29 june 2007', 'covered work'], words: 5_640 },
  { id: 'AGPL-3.0', has: ['gnu affero general public license version 3 19 november 2007'], words: 5_540 },
  { id: 'LGPL-2.1', has: ['gnu lesser general public license version 2 1 february 1999'], words: 4_360 },
  { id: 'LGPL-3.0', has: ['gnu lesser general public license version 3 29 june 2007'], words: 1_230 },
  { id: 'MPL-2.0', has: ['mozilla public license version 2 0', 'covered software'], words: 2_440 },
  { id: 'EPL-1.0', has: ['eclipse public license v 1 0'], words: 1_670 },
  { id: 'EPL-2.0', has: ['eclipse public license v 2 0'], words: 2_060 },
  { id: 'EUPL-1.2', has: ['european union public licence v 1 2'], words: 2_220 },
  { id: 'BSL-1.0', has: ['boost software license version 1 0 august 17th 2003'], words: 215 },
  { id: 'Unlicense', has: ['this is free and unencumbered software released into the public domain'], words: 210 },
  { id: 'CC0-1.0', has: ['cc0 1 0 universal', 'affirmer'], words: 1_080 },
  { id: 'CC-BY-4.0', has: ['creative commons attribution 4 0 international public license'], words: 2_960 },
  {
    id: 'CC-BY-SA-4.0',
    has: ['creative commons attribution sharealike 4 0 international public license'],
    words: 3_230,
  },
  { id: 'BlueOak-1.0.0', has: ['blue oak model license version 1 0 0'], words: 260 },
  { id: 'Zlib', has: ['altered source versions must be plainly marked as such'], words: 135 },
  { id: 'WTFPL', has: ['do what the fuck you want to public license'], words: 80 },
  {
    id: 'PostgreSQL',
    has: ['this software and its documentation for any purpose without fee', 'paragraph'],
    words: 180,
  },
  { id: 'Artistic-2.0', has: ['the artistic license 2 0'], words: 1_410 },
  { id: 'BUSL-1.1', has: ['business source license 1 1', 'change license'], words: 560 },
  { id: 'SSPL-1.0', has: ['server side public license version 1 october 16 2018'], words: 5_250 },
  { id: 'Elastic-2.0', has: ['elastic license 2 0', 'license key functionality'], words: 560 },
];
/** What turns a licence into another one, however much of it is there; the second where the licence itself does not speak of it. */
const restricted = /\b(commons clause|not for commercial use|no commercial use)\b/;
const nonCommercial = /\bnon ?commercial(ly)?\b/;
/** A text has at most so much more than its licence: names of who has the copyright, how to apply it. */
const MORE = { share: 1.2, words: 120 };
const LEAST = 0.6;
/** A shorter one only says where the licence is. */
const leastLength = 300;

/** Which licence a text is, by SPDX; null where it is none of those above, several, or one with conditions of somebody's own. */
export function licenceOf(text: string): string | null {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const said = ` ${words.join(' ')} `;
  const found = wordings.filter(
    ({ has, without = [] }) => has.every((each) => said.includes(each)) && !without.some((each) => said.includes(each)),
  );
  const fits = found.filter(
    (each) => words.length >= each.words * LEAST && words.length <= each.words * MORE.share + MORE.words,
  );
  const ids = new Set(fits.map(({ id }) => id));
  const [id] = ids;
  if (id === undefined || ids.size > 1 || found.some((each) => !ids.has(each.id))) return null;
  const speaksOfIt = id === 'Unlicense' || (fits[0]?.words ?? 0) > 300;
  return restricted.test(said) || (nonCommercial.test(said) && !speaksOfIt) ? null : id;
}

/**
 * Of all texts of a repository. Several in files that are named alike (`LICENSE-MIT`, `LICENSE-APACHE`) are a choice; of others the
 * one counts that is named most plainly. The lesser GPL 3 comes with the GPL that it adds to.
 */
export function licenceOfTexts(texts: ReadonlyMap<string, string>): string | undefined {
  const read = [...texts]
    .filter(([path]) => isLicenceText(path))
    .sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1))
    .filter(([, text]) => text.length >= leastLength)
    .map(([path, text]) => ({ path, id: licenceOf(text) }));
  if (read.some(({ id }) => id === 'LGPL-3.0')) return 'LGPL-3.0';
  const atRoot = read.filter(({ path }) => !path.includes('/'));
  if (atRoot.length > 1 && atRoot.every(({ path, id }) => id !== null && /^licen[cs]e[-_]/i.test(path)))
    return [...new Set(atRoot.map(({ id }) => id ?? ''))].sort((a, b) => (a < b ? -1 : 1)).join(' OR ');
  // What the plainest name has is the one, also where nobody knows what that is.
  return read[0]?.id ?? undefined;
}

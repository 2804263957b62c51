import { format } from './format.ts';

/** `supply_chain` as `Supply chain`. */
export const titleOf = (id: string) => `${id.slice(0, 1).toUpperCase()}${id.slice(1).replaceAll('_', ' ')}`;

/** An estimate of ten hours and more has no decimals. */
export const hours = (value: number) => (value < 10 ? format.tenth(value) : format.whole(value));

const one: Record<string, string> = { people: 'person' };

/** `12.3 %`, `1 file`; null where there is no value. */
export function valueWords({ value, unit }: { value: number | null; unit: string }): string | null {
  if (value === null) return null;
  if (unit === '0/1') return value === 0 ? 'no' : 'yes';
  if (unit === 'count') return format.tenth(value);
  return `${format.tenth(value)} ${value === 1 ? (one[unit] ?? unit.replace(/s$/, '')) : unit}`;
}

/** `percentile 61 of 163 (all)`; null where there is none. */
export const rankWords = (rank: { percentile: number; among: string; repositories: number } | null) =>
  rank && `percentile ${format.tenth(rank.percentile)} of ${format.whole(rank.repositories)} (${rank.among})`;

/** When what is found should be put right. */
export const horizons = [
  { id: 'deal_critical', title: 'Before the deal' },
  { id: 'post_deal', title: 'After the deal' },
  { id: 'long_term', title: 'In the long term' },
] as const;

const months = new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric', timeZone: 'UTC' });

/** `2024-06` as `Jun 2024`. */
export const monthWords = (month: string) => (month === '' ? '' : months.format(new Date(`${month}-01T00:00:00Z`)));

/** `SecurityPattern` and `enum_member` as people say it: `insecure pattern`, `enum member`. */
export const kindWords = (kind: string) =>
  kind === 'SecurityPattern'
    ? 'insecure pattern'
    : kind
        .replaceAll('_', ' ')
        .replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`)
        .toLowerCase();

/** Those that are not written with one capital at their beginning. */
const languageNames: Record<string, string> = {
  c: 'C',
  coffeescript: 'CoffeeScript',
  cpp: 'C++',
  csharp: 'C#',
  javascript: 'JavaScript',
  php: 'PHP',
  typescript: 'TypeScript',
};

/** `javascript` as `JavaScript`; null of none. */
export const languageName = (language: string | null) =>
  language === null ? null : (languageNames[language] ?? titleOf(language));

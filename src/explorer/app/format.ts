const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const tenths = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const score = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const shares = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 0 });
const days = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });
const moments = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

/** What stands where nothing is known. */
export const unknown = '–';

type Known<T> = T | null | undefined;
const or =
  <T>(write: (value: T) => string) =>
  (value: Known<T>) =>
    value === null || value === undefined ? unknown : write(value);

/** Numbers and dates as people read them; a dash where there is none. */
export const format = {
  whole: or<number>((value) => whole.format(value)),
  tenth: or<number>((value) => tenths.format(value)),
  /** Of 100, always with its decimal, so that scores stand under each other. */
  score: or<number>((value) => score.format(value)),
  short: or<number>((value) => short.format(value)),
  /** 0 to 1. */
  share: or<number>((value) => shares.format(value)),
  day: or<string>((value) => days.format(new Date(value))),
  moment: or<string>((value) => moments.format(new Date(value))),
  money: (value: Known<number>, currency: string) =>
    or<number>((known) =>
      new Intl.NumberFormat('en', { style: 'currency', currency, maximumFractionDigits: 0 }).format(known),
    )(value),
  /** `1 repository`, `2 repositories`. */
  count: (count: number, one: string, many = `${one}s`) => `${whole.format(count)} ${count === 1 ? one : many}`,
};

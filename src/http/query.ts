import { z } from 'zod';

// oxlint-disable-next-line no-control-regex -- it is what is excluded
const WITHOUT_NUL = /^[^\u0000]*$/;

const maxTime = Date.UTC(9999, 11, 31);

const toNumber = (form: RegExp) => (value: unknown) =>
  typeof value === 'string' && form.test(value) ? Number(value) : value;
const toDecimal = toNumber(/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i);
const toInteger = toNumber(/^-?\d+(\.\d+)?$/);

const toList = (value: unknown) =>
  typeof value === 'string' || Array.isArray(value) ? [value].flat().flatMap((item) => String(item).split(',')) : value;

/** An integer in a query string. */
export const integer = (min: number, max?: number) =>
  z.preprocess(toInteger, max === undefined ? z.int().min(min) : z.int().min(min).max(max));

/** A number in a query string. */
export const decimal = (min: number, max: number) => z.preprocess(toDecimal, z.number().min(min).max(max));

/** A time in a query string, of an engine's years: RFC 3339, handed on in UTC. */
export const instant = z.iso
  .datetime({ offset: true })
  .transform((time) => new Date(Math.min(Math.max(Date.parse(time), 0), maxTime)).toISOString());

/** Several values in a query string: `a,b`, or the parameter more than once. */
export const list = <T extends z.ZodType>(item: T) => z.preprocess(toList, z.array(item).min(1).max(50));

/** Text in a query string; U+0000 is refused because not every store can hold it. */
export const text = (min: number, max: number) => z.string().min(min).max(max).regex(WITHOUT_NUL);

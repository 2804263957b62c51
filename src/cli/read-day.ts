import { InvalidArgumentError } from 'commander';
import { dayOf } from '../due-diligence/standing.ts';

/** An option that is a UTC day. */
export function readDay(text: string): string {
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || Number.isNaN(Date.parse(text)) || dayOf(text) !== text)
    throw new InvalidArgumentError('It is a day, year-month-day: 2026-11-23.');
  return text;
}

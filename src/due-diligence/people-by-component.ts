import { z } from 'zod';
import { firstOf, maxListed } from '../model/architecture.ts';
import type { Measurements } from '../model/due-diligence.ts';
import { truckFactor } from '../model/people.ts';
import type { Range } from './range.ts';
import { tenth } from './score.ts';
import { rangeSchema } from './wire.ts';

/** Lines of code that somebody reads in an hour who has to understand them, and where the figure comes from. */
export const readingRates = [
  { id: 'low', lines: 500, source: 'SmartBear, Best Kept Secrets of Peer Code Review (2006): no faster is understood' },
  { id: 'likely', lines: 300, source: 'the same study: up to this, reviewers find what is there' },
  { id: 'high', lines: 125, source: 'Fagan, Design and code inspections (1976): lines inspected in an hour' },
] as const;

const listed = <T extends z.ZodType>(item: T, most: number) =>
  z.object({
    total: z.int().meta({ description: `How many there are; ${most} at most are listed.` }),
    items: z.array(item),
  });

const knownBySchema = z.object({ name: z.string(), files: z.int(), lines: z.int() });
const shareSchema = z.object({ files: z.int(), lines: z.int() });

export const peopleByComponentSchema = z
  .object({
    components: z.array(
      z.object({
        component: z.string(),
        files: z.int(),
        lines: z.int(),
        bus_factor: z.int().nullable().meta({
          description:
            'How many people may leave until more than half of its files have no author left; null where no person is known to have changed any.',
        }),
        people: listed(knownBySchema, maxListed.people).meta({
          description: 'Who knows its files (degree of authorship), by lines.',
        }),
        orphaned: shareSchema.meta({
          description: 'Files without an author who did anything within twelve months.',
        }),
        onboarding_hours: rangeSchema.meta({
          description: `To read it once and understand it: ${readingRates.map(({ id, lines }) => `${id} at ${lines} lines an hour`).join(', ')}.`,
        }),
      }),
    ),
    if_leave: z
      .object({
        people: z.array(z.string()).meta({ description: 'Names of those who are thought to leave.' }),
        unknown: z.array(z.string()).meta({ description: 'Asked for, and no contributor is called so.' }),
        files: listed(z.object({ path: z.string(), lines: z.int(), component: z.string() }), maxListed.files).meta({
          description: 'Without an active author then, and with one today; the most lines first.',
        }),
        lines: z.int(),
        components: z.array(z.object({ component: z.string(), ...shareSchema.shape, lost: z.boolean() })).meta({
          description:
            'Where these files lie, the most lines first. `lost`: more than half of its lines have no active author then, and had today.',
        }),
        hours: rangeSchema.meta({ description: 'For others to read what becomes orphaned.' }),
      })
      .nullable()
      .meta({ description: 'What becomes orphaned without those whom `without` names; null where nobody is named.' }),
    reading_rates: z.array(z.object({ id: z.string(), lines: z.int(), source: z.string() })),
  })
  .meta({ id: 'PeopleByComponent' });
export type PeopleByComponent = z.infer<typeof peopleByComponentSchema>;

type Known = Pick<Measurements, 'knowledge' | 'people'>;
type Group = NonNullable<Measurements['knowledge']>[number]['groups'][number];

/** The ids of those who are named so, or have this id; and the names that nobody has. */
export function peopleNamed(
  { people }: Pick<Measurements, 'people'>,
  names: readonly string[],
): { ids: Set<string>; unknown: string[] } {
  const ids = new Set<string>();
  const unknown: string[] = [];
  for (const wanted of names) {
    const found = people.filter(
      ({ id, also = [], name }) =>
        id === wanted || also.includes(wanted) || name.toLowerCase() === wanted.trim().toLowerCase(),
    );
    if (found.length === 0) unknown.push(wanted);
    for (const { id } of found) ids.add(id);
  }
  return { ids, unknown };
}

/** Who knows each component, and what is lost with those who leave. Null of what has no history, or was loaded before it was kept. */
export function peopleByComponent(
  { knowledge = [], people }: Known,
  leaving: { ids: ReadonlySet<string>; unknown: readonly string[] } | null = null,
): PeopleByComponent | null {
  if (knowledge.length === 0) return null;
  const names = new Map(people.map(({ id, name }) => [id, name]));
  const active = new Set(people.flatMap(({ id, bot, weeks_12m: weeks }) => (bot || weeks.length === 0 ? [] : [id])));
  const hasActive = ({ authors }: Group) => authors.some((author) => active.has(author));
  return {
    components: knowledge.map(({ component, groups }) => {
      const whole = sum(groups);
      const known = groups.filter(({ authors }) => authors.length > 0);
      return {
        component,
        ...whole,
        bus_factor: known.length === 0 ? null : truckFactor(known),
        people: firstOf(knownBy(groups, names), maxListed.people),
        orphaned: sum(known.filter((group) => !hasActive(group))),
        onboarding_hours: readingHours(whole.lines),
      };
    }),
    if_leave: leaving && ifLeave(knowledge, names, active, leaving),
    reading_rates: readingRates.map((rate) => ({ ...rate })),
  };
}

function knownBy(groups: readonly Group[], names: ReadonlyMap<string, string>) {
  const shares = new Map<string, { files: number; lines: number }>();
  for (const { authors, files, lines } of groups)
    for (const author of authors) {
      const share = shares.get(author) ?? { files: 0, lines: 0 };
      shares.set(author, { files: share.files + files, lines: share.lines + lines });
    }
  return [...shares]
    .sort(([a, one], [b, other]) => other.lines - one.lines || other.files - one.files || (a < b ? -1 : 1))
    .map(([id, share]) => ({ name: names.get(id) ?? id, ...share }));
}

function ifLeave(
  knowledge: NonNullable<Measurements['knowledge']>,
  names: ReadonlyMap<string, string>,
  active: ReadonlySet<string>,
  { ids, unknown }: { ids: ReadonlySet<string>; unknown: readonly string[] },
): NonNullable<PeopleByComponent['if_leave']> {
  const staysKnown = ({ authors }: Group) => authors.some((author) => active.has(author) && !ids.has(author));
  const isKnown = ({ authors }: Group) => authors.some((author) => active.has(author));
  const components = knowledge.flatMap(({ component, groups }) => {
    const orphaned = groups.filter((group) => isKnown(group) && !staysKnown(group));
    if (orphaned.length === 0) return [];
    const whole = sum(groups).lines;
    const isLost = (isThere: (group: Group) => boolean) =>
      sum(groups.filter((group) => !isThere(group))).lines * 2 > whole;
    return [{ component, ...sum(orphaned), lost: isLost(staysKnown) && !isLost(isKnown), orphaned }];
  });
  components.sort((a, b) => b.lines - a.lines || (a.component < b.component ? -1 : 1));
  const files = components
    .flatMap(({ component, orphaned }) =>
      orphaned.flatMap(({ largest }) => largest.map((file) => ({ ...file, component }))),
    )
    .sort((a, b) => b.lines - a.lines || (a.path < b.path ? -1 : 1));
  const whole = sum(components);
  return {
    people: [...new Set([...ids].map((id) => names.get(id) ?? id))].sort(),
    unknown: [...unknown],
    files: { total: whole.files, items: files.slice(0, maxListed.files) },
    lines: whole.lines,
    components: components.map(({ component, files, lines, lost }) => ({ component, files, lines, lost })),
    hours: readingHours(whole.lines),
  };
}

function sum(all: readonly { files: number; lines: number }[]): { files: number; lines: number } {
  return all.reduce<{ files: number; lines: number }>(
    (whole, { files, lines }) => ({ files: whole.files + files, lines: whole.lines + lines }),
    { files: 0, lines: 0 },
  );
}

function readingHours(lines: number): Range {
  const [low, likely, high] = readingRates.map((rate) => tenth(lines / rate.lines));
  return { low: low ?? 0, likely: likely ?? 0, high: high ?? 0 };
}

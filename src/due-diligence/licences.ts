import { z } from 'zod';
import type { SuppliedPackage, Supply } from '../model/due-diligence.ts';

const labels = z.array(z.string());

/** What is known of the licences of the packages that are locked; a package is `NAME VERSION`. */
export const licencesSchema = z
  .object({
    own: z.string().nullable().meta({ description: 'The repository’s own, as its manifest writes it.' }),
    packages: z.int().meta({ description: 'How many are locked.' }),
    shipped: z.int().nullable().meta({
      description: 'Of these, what is there to run and not only to develop; null where no lockfile tells.',
    }),
    unknown: z.int().meta({
      description:
        'Packages whose licence nobody says: of those that are shipped, or of all where nobody can tell which are.',
    }),
    copyleft: z
      .object({
        strong: labels.meta({
          description: 'Those whose licence asks for the source of what it is part of, in every choice that it gives.',
        }),
        weak: labels.meta({ description: 'Those whose licence asks for the source of its own files.' }),
      })
      .meta({ description: 'Likewise.' }),
    conflicts: labels.nullable().meta({
      description:
        'Those among `strong` that the repository’s own licence does not go with; null where its own is not known.',
    }),
  })
  .meta({ id: 'Licences' });
export type Licences = z.infer<typeof licencesSchema>;

/** From the least that it asks for to the most; a licence that nobody knows may ask for anything. */
export const licenceKinds = ['permissive', 'weak', 'strong', 'unknown'] as const;
export type LicenceKind = (typeof licenceKinds)[number];
const weak = /^(LGPL|MPL|EPL|CDDL|CPL|EUPL|MS-RL|APSL|OSL)\b/i;
const strong = /^(A?GPL|SSPL|CECILL-2|Sleepycat|QPL|RPL|CC-BY-SA)/i;
const permissive =
  /^(MIT|ISC|0?BSD|Apache|Zlib|libpng|Unlicense|CC0|CC-BY-\d|PSF|Python|CNRI|BlueOak|WTFPL|X11|PostgreSQL|Artistic-2|BSL-1\.0|Unicode|OFL|curl|NCSA|HPND|AFL|Ruby|W3C)\b/i;

/** The licences of what is shipped: a figure beside the metrics. */
export function licencesOf({ license: own, packages }: Supply): Licences {
  const isTold = packages.some(({ shipped }) => shipped !== undefined);
  const shipped = packages.filter((each) => !isTold || each.shipped === true);
  const of = (kind: LicenceKind) => shipped.filter(({ license }) => licenceKindOf(license) === kind).map(labelOf);
  const strongly = of('strong');
  const ownKind = licenceKindOf(own);
  return {
    own,
    packages: packages.length,
    shipped: isTold ? shipped.length : null,
    unknown: of('unknown').length,
    copyleft: { strong: strongly, weak: of('weak') },
    // Of two that ask for the source of the whole, whether they go together is a question for a lawyer.
    conflicts: ownKind === 'unknown' ? null : ownKind === 'strong' ? [] : strongly,
  };
}

/** What a licence asks for; of none, nobody knows. */
export const licenceKindOf = (expression: string | null | undefined): LicenceKind =>
  expression == null ? 'unknown' : kindOf(expression);

const labelOf = ({ name, version }: SuppliedPackage) => `${name} ${version}`;

/** Of an SPDX expression: `OR` leaves the choice, `AND` asks for both; brackets around a part without brackets are understood. */
function kindOf(expression: string): LicenceKind {
  let text = expression.slice(0, 1_000);
  // Bounded: a thousand characters.
  for (let inner = /\(([^()]*)\)/.exec(text); inner; inner = /\(([^()]*)\)/.exec(text))
    text = text.replace(inner[0], kindOf(inner[1] ?? ''));
  const worst = (some: readonly LicenceKind[]) => Math.max(...some.map((kind) => licenceKinds.indexOf(kind)));
  const choices = text
    .split(/ OR |\//i)
    .map((choice) => worst(choice.split(/ AND /i).map((each) => kindOfOne(each.trim()))));
  return licenceKinds[Math.min(...choices)] ?? 'unknown';
}

function kindOfOne(license: string): LicenceKind {
  const known = licenceKinds.find((kind) => kind === license);
  if (known) return known;
  // What an exception allows is that it is part of others.
  if (strong.test(license)) return /\bWITH\b/i.test(license) ? 'weak' : 'strong';
  return weak.test(license) ? 'weak' : permissive.test(license) ? 'permissive' : 'unknown';
}

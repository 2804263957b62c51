import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import * as linguist from 'linguist-languages';
import { z } from 'zod';
import { library } from '../../loaders/languages/java/library.ts';
import { languageOf } from '../../loaders/snapshot/language-of.ts';

const folder = new URL('../../loaders/reference-data/', import.meta.url);
const file = new URL('linguist-languages.json', folder);

describe('linguist-languages.json', () => {
  // A copy of what is used of linguist's languages: importing their 700 modules would cost each start a third of a second.
  it('says what linguist-languages says (UPDATE_GOLDEN=1 copies it anew)', () => {
    const used = Object.values(linguist).map((language) => {
      const { name, type, aliases, extensions, filenames, interpreters } = language as Record<string, unknown>;
      return { name, type, aliases, extensions, filenames, interpreters };
    });
    const text = `[\n${used.map((language) => JSON.stringify(language)).join(',\n')}\n]\n`;
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, text);
    expect(readFileSync(file, 'utf8')).to.equal(text);
  });
});

const id = z.string().regex(/^[a-z0-9][a-z0-9._-]*$/);
const pattern = z.string().refine((text) => new RegExp(text, 'u').source !== '', 'is empty');

const shapes: Readonly<Record<string, z.ZodType>> = {
  'jdk.json': z.record(
    z.string().regex(/^java(?:\.\w+)+$/),
    z.array(z.string().regex(/^(?:(?:class|interface|enum) [\w.]+| (?:static |abstract )?\S.*)/)).min(1),
  ),
  'ruby-methods.json': z.array(z.string().regex(/^[a-z]\w*[?!]?$/)).min(500),
  'services.json': z.array(
    z.strictObject({
      id,
      packages: z.array(z.string().min(1)),
      images: z.array(z.string().min(1)).optional(),
      variables: z.array(z.string().min(1)).optional(),
      provider: z.string().optional(),
    }),
  ),
  'secret-rules.json': z.strictObject({
    version: z.int().positive(),
    rules: z.array(
      z.strictObject({
        id,
        hint: pattern,
        pattern,
        minEntropy: z.number().positive(),
        commonInTests: z.literal(true).optional(),
        generic: z.literal(true).optional(),
      }),
    ),
  }),
  'linguist-preferred.json': z.record(z.string().regex(/^\.\w+$/), z.string()),
};

describe('reference data', () => {
  const read = (name: string): unknown => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));

  // Here and not where it is read: each start would pay for what changes with the source alone.
  it('each file has the shape that its readers take it for, and no two entries one id', () => {
    for (const [name, shape] of Object.entries(shapes)) {
      const { error } = shape.safeParse(read(name));
      expect(error && z.prettifyError(error), name).to.equal(undefined);
    }
    const { rules } = read('secret-rules.json') as { rules: { id: string }[] };
    for (const entries of [rules, read('services.json') as { id: string }[]]) {
      const ids = entries.map((entry) => entry.id);
      expect(ids).to.deep.equal([...new Set(ids)]);
    }
  });

  it('the README says of each file where it comes from and how it is renewed', () => {
    const readme = readFileSync(new URL('README.md', folder), 'utf8');
    const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
    expect(files).to.include.members(Object.keys(shapes));
    for (const name of files) expect(readme, name).to.include(`## ${name}`);
  });

  it('what linguist leaves to the content is given to a language that it has', () => {
    for (const [extension, language] of Object.entries(read('linguist-preferred.json') as Record<string, string>)) {
      const known = (Object.values(linguist) as { name: string; type: string; extensions?: readonly string[] }[]).find(
        ({ name }) => name === language,
      );
      expect(known?.extensions, extension).to.include(extension);
      if (known?.type === 'programming') expect(languageOf(`a${extension}`), extension).to.equal(language);
    }
  });

  it("Java's library is read whole: every class and member has its definition or its type", () => {
    for (const { path, facts } of library()) {
      for (const { name, members, bases } of facts.definitions) {
        const says = `${path} ${name}`;
        for (const member of members)
          expect(member.definition >= 0 || member.type !== null, `${says}.${member.name}`).to.equal(true);
        for (const { expr } of bases) expect(expr.kind, says).to.equal('typed');
      }
    }
  });
});

import { expect } from 'chai';
import { legible } from '../../../loaders/languages/cpp/legible.ts';
import { preprocessor } from '../../../loaders/languages/cpp/preprocess.ts';
import { sidesIn } from '../../../loaders/languages/cpp/sides.ts';
import { withCpuTime } from '../../support/cpu-time.ts';
import { superLinearCosts } from '../../support/hostile-fillings.ts';

/** What a file begins with, and what then stands in it again and again, half of it closed where there are two. */
const hostile: Readonly<Record<string, (count: number) => string>> = {
  'conditionals that nothing ends, inside of many braces': (count) =>
    `${'{'.repeat(count)}\n${'#if A\n'.repeat(count)}`,
  'alternatives inside of many braces': (count) => `${'{'.repeat(count)}\n${'#if A\n#else\n#endif\n'.repeat(count)}`,
  'macros inside of many conditionals': (count) => '#if A\n#define B(a) catch (a(\n'.repeat(count),
  'macros that declare, far from where the statement began': (count) =>
    `#define D(a) void a() { }\n${'x '.repeat(300)}${'D(a) '.repeat(count)}`,
  'macros that declare, in many namespaces': (count) =>
    `#define D(a) void a() { }\n${'namespace a {'.repeat(count)}${'D(a) '.repeat(count)}`,
  'macros that double in macros': (count) =>
    `${Array.from({ length: 8 }, (_, i) => `#define A${i} { ${`A${i + 1} `.repeat(8)}\n`).join('')}void f() { ${'A0 '.repeat(count)}`,
  'arguments that a macro has again and again': (count) =>
    `#define A(a) { ${'a '.repeat(count)}\nvoid f() { ${`A(${'b'.repeat(400)}) `.repeat(count)}`,
  'macros that begin statements': (count) => `#define A if (true)\nvoid f() { ${'A A { } '.repeat(count)}`,
  'conditions with comments that nothing ends': (count) => `#if ${'/* '.repeat(count)}`,
  'comments and strings before conditionals': (count) => '/**/ R"(" #if A\n'.repeat(count),
  'macros in macros': (count) =>
    `${Array.from({ length: count }, (_, i) => `#define A${i} A${i + 1}\n`).join('')}${'A0 '.repeat(count)}`,
  'uses in uses': (count) => `#define W(a) static a\n${'W('.repeat(count)}x${')'.repeat(count)}`,
  'words alone in their lines': (count) => `/*${'x'.repeat(count)}*/\n${'NAMESPACE_A\n'.repeat(count)}`,
  'heads of classes that nothing ends': (count) => `class ${'A '.repeat(count)}${'class B<'.repeat(count)}`,
  'uses that nothing closes': (count) => `#define W(a) static a\n${'W('.repeat(count)}`,
};

describe('C and C++ sources, before they are parsed', () => {
  for (const [what, make] of Object.entries(hostile))
    it(`cost in proportion to their size: ${what}`, async () => {
      const unit = make(1_000).length / 1_000;
      const costs = await superLinearCosts(async (bytes) => {
        const source = make(Math.round(bytes / unit));
        const { ms } = await withCpuTime(() =>
          sidesIn(legible(preprocessor.open(preprocessor.collect(source)).rewrite(source)), 'a.h'),
        );
        return ms;
      });
      expect(costs).to.equal(null);
    });
});

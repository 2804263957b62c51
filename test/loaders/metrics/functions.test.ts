import { expect } from 'chai';
import { createExtractor } from '../../../loaders/extraction/extract.ts';
import { languageOf } from '../../../loaders/languages/index.ts';
import { languageOf as linguistOf } from '../../../loaders/snapshot/language-of.ts';
import { dedent } from '../../support/dedent.ts';

/** A function of each language, with its complexity, and its lines or, where these are more, its statements. */
const functions: readonly [path: string, source: string, name: string, complexity: number, size: number][] = [
  [
    'a.rs',
    dedent`
      fn f(x: u8) -> R {
        // why
        let Some(y) = g()? else { return };
        match y { 1 if x > 2 => 1, 2 => 2, _ => 3 }
      }
    `,
    'f',
    6,
    4,
  ],
  [
    'a.c',
    dedent`
      int f(int x) {
        for (;;) { if (x && y || z) { } }
        switch (x) { case 1: case 2: break; default: break; }
        return x ? 1 : 2;
      }
    `,
    'f',
    8,
    7,
  ],
  [
    'a.cpp',
    dedent`
      void A::f(T&& x) {
        try { while (x) {} } catch (E& e) {}
        for (auto& y : x) if (y) g();
      }
    `,
    'f',
    5,
    4,
  ],
  [
    'a.cs',
    dedent`
      class A {
        int? F(int? x) {
          foreach (var y in x) if (y is B b && b.C) {}
          return x switch { 1 => 2, _ => x ?? 3 };
        }
      }
    `,
    'F',
    6,
    4,
  ],
  [
    'a.rb',
    dedent`
      def f(x)
        return 1 unless x
        a if b and c
        case x
        when 1 then 2
        else 3
        end
      rescue E
        x ? 1 : 2
      end
    `,
    'f',
    7,
    10,
  ],
  [
    'a.php',
    dedent`
      <?php
      function f(?int $x) {
        foreach ($x as $y) { if ($y || $z) {} elseif ($w) {} }
        return $x ? 1 : $x?->y;
      }
    `,
    'f',
    6,
    4,
  ],
  [
    'a.kt',
    dedent`
      fun f(x: Int?): Int {
        when (x) {
          1 -> 2
          2 -> 3
          else -> 4
        }
        return x ?: 5
      }
    `,
    'f',
    4,
    8,
  ],
  [
    'a.scala',
    dedent`
      object A {
        def f(x: Int) = x match {
          case 1 if x > 0 => 2
          case _ => if (x > 1 && y) 3 else 4
        }
      }
    `,
    'f',
    6,
    4,
  ],
];

describe('functions and their complexity', () => {
  it('are told in each language, with one more than their branches', async () => {
    const extractor = await createExtractor({
      languages: ['rust', 'c', 'cpp', 'csharp', 'ruby', 'php', 'kotlin', 'scala'],
    });
    const measured = functions.map(([path, source]) => {
      const language = languageOf(path);
      if (!language) throw new Error(`${path} is in no language.`);
      return extractor.read(language, Buffer.from(source), path, linguistOf(path, undefined)).measures.functions;
    });
    extractor.close();
    const found = measured.map((each) => each?.map(({ complexity, code }) => [complexity, code]));
    expect(found).to.deep.equal(functions.map(([, , , complexity, size]) => [[complexity, size]]));
  });
});

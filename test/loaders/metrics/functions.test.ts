import { expect } from 'chai';
import { createExtractor } from '../../../loaders/extraction/extract.ts';
import { languageOf } from '../../../loaders/languages/index.ts';
import { languageOf as linguistOf } from '../../../loaders/snapshot/language-of.ts';

/** A function of each language, with its complexity. */
const functions: readonly [path: string, source: string, name: string, complexity: number, lines: number][] = [
  [
    'a.rs',
    'fn f(x: u8) -> R {\n  // why\n  let Some(y) = g()? else { return };\n  match y { 1 if x > 2 => 1, 2 => 2, _ => 3 }\n}',
    'f',
    6,
    4,
  ],
  [
    'a.c',
    'int f(int x) {\n  for (;;) { if (x && y || z) { } }\n  switch (x) { case 1: case 2: break; default: break; }\n  return x ? 1 : 2;\n}',
    'f',
    8,
    5,
  ],
  [
    'a.cpp',
    'void A::f(T&& x) {\n  try { while (x) {} } catch (E& e) {}\n  for (auto& y : x) if (y) g();\n}',
    'f',
    5,
    4,
  ],
  [
    'a.cs',
    'class A {\n  int? F(int? x) {\n    foreach (var y in x) if (y is B b && b.C) {}\n    return x switch { 1 => 2, _ => x ?? 3 };\n  }\n}',
    'F',
    6,
    4,
  ],
  [
    'a.rb',
    'def f(x)\n  return 1 unless x\n  a if b and c\n  case x\n  when 1 then 2\n  else 3\n  end\nrescue E\n  x ? 1 : 2\nend',
    'f',
    7,
    10,
  ],
  [
    'a.php',
    '<?php\nfunction f(?int $x) {\n  foreach ($x as $y) { if ($y || $z) {} elseif ($w) {} }\n  return $x ? 1 : $x?->y;\n}',
    'f',
    6,
    4,
  ],
  [
    'a.kt',
    'fun f(x: Int?): Int {\n  when (x) {\n    1 -> 2\n    2 -> 3\n    else -> 4\n  }\n  return x ?: 5\n}',
    'f',
    4,
    8,
  ],
  [
    'a.scala',
    'object A {\n  def f(x: Int) = x match {\n    case 1 if x > 0 => 2\n    case _ => if (x > 1 && y) 3 else 4\n  }\n}',
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
    expect(found).to.deep.equal(functions.map(([, , , complexity, lines]) => [[complexity, lines]]));
  });
});

import { expect } from 'chai';
import { edgesOf, factsOf } from '../../support/edges-of.ts';
import { dedent } from '../../support/dedent.ts';

describe('Dart', () => {
  const shapes = dedent`
      library shapes;
      part 'shapes_part.dart';
      abstract class Shape<T> with Named, Sized implements Drawn {
        final T item;
        Shape(this.item);
        Shape.named(this.item) { reset(); }
        factory Shape.make() => Square._(1);
        void reset() { _log('x'); }
        double get area => width() * 2;
        double width();
      }
      class Square extends Shape<int> {
        Square._(int x) : super(check(x));
        double width() => super.area + twice(1);
        Square operator +(Square o) => o;
      }
      mixin Named { String label() => describe(); String describe() => ''; }
      mixin Sized on Named { int size() => label().length; }
      abstract class Drawn { void draw(); }
      int check(int x) => x;
    `;
  const sources = {
    'pubspec.yaml': 'name: shop\n',
    'lib/shapes.dart': shapes,
    'lib/shapes_part.dart': "part of 'shapes.dart';\nvoid _log(String s) {}\nint twice(int x) => check(x) * 2;",
    'lib/all.dart': "export 'shapes.dart';\nexport 'src/ext.dart' show Texts;",
    'lib/src/ext.dart': 'extension Texts on String { int loud() => soft(); int soft() => 1; }',
    'bin/main.dart': dedent`
        import 'package:shop/all.dart';
        import '../lib/shapes.dart' as s show check;
        import 'dart:io';
        Future<Square> load() async => Square._(3);
        void main() async {
          final shape = Shape.make();
          shape.reset();
          var q = await load();
          q.width().round();
          for (final each in [q]) each.label();
          s.check(2);
          q..reset()..size();
          void local(Square a) { a.reset(); }
          local(q);
          if (shape is Square) shape.width();
          [1].map((e) => check(e)).toList();
          'x'.loud();
          print('\${q.describe()}');
          exit(0);
          new Shape.named(1);
        }
      `,
  };

  it('calls go by libraries, prefixes, mixins, named constructors, extensions and what is awaited', async () => {
    expect(await edgesOf(sources)).to.deep.equal([
      'Named.label -> Named.describe',
      'Shape.area -> Shape.width',
      'Shape.make -> Square._',
      'Shape.named -> Shape.reset',
      'Shape.reset -> _log',
      'Sized.size -> Named.label',
      'Square._ -> Shape.Shape',
      'Square._ -> check',
      'Square.width -> twice',
      'load -> Square._',
      'loud -> soft',
      'main -> Named.describe',
      'main -> Named.label',
      'main -> Shape.make',
      'main -> Shape.named',
      'main -> Shape.reset',
      'main -> Sized.size',
      'main -> Square.width',
      'main -> check',
      'main -> load',
      'main -> loud',
      'main -> main.local',
      'main.local -> Shape.reset',
      'twice -> check',
    ]);
  });

  it('a class inherits from what it extends, mixes in and implements', async () => {
    expect(await edgesOf(sources, 'INHERITS')).to.deep.equal([
      'Shape -> Drawn',
      'Shape -> Named',
      'Shape -> Sized',
      'Sized -> Named',
      'Square -> Shape',
    ]);
  });

  it('a function ends with its body, and is what the comment above it says', async () => {
    const source =
      '/// Adds.\n///\n/// More.\nint add(int a, {int b = 1}) {\n  return a;\n}\nconst limit = 2;\nvar size = add(1);';
    const [file] = await factsOf({ 'lib/a.dart': source });
    const [add] = file?.facts.definitions ?? [];
    expect(add).to.include({
      name: 'add',
      line: 4,
      endLine: 6,
      doc: 'Adds.',
      signature: 'int add(int a, {int b = 1})',
    });
    expect(add?.parameters.map(({ name, optional }) => `${name} ${optional}`)).to.deep.equal(['a false', 'b true']);
    expect(file?.facts.declared.map(({ kind, name }) => `${kind} ${name}`)).to.deep.equal([
      'constant limit',
      'variable size',
    ]);
  });
});

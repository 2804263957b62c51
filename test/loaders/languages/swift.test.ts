import { expect } from 'chai';
import { edgesOf, factsOf } from '../../support/edges-of.ts';
import { dedent } from '../../support/dedent.ts';

describe('Swift', () => {
  const sources = {
    'Sources/Shop/Cart.swift': dedent`
        import Foundation
        /// Holds items.
        public final class Cart: Store, Counted {
          static let shared = Cart(size: 1)
          var items: [Item] = []
          var price: Price?
          var total: Int { return sum() }
          init(size: Int) { self.prepare() }
          func sum() -> Int { items.map { $0.cost() }.count }
          func add(_ item: Item, at index: Int = 0) -> Cart {
            guard let price = price else {
              return self
            }
            price.log()
            if let last = items.first {
              last.cost()
            }
            for item in items { item.cost() }
            helper(item)
            persist()
            return Cart(size: 2)
          }
          func put(x: Int) { one() }
          func put(y: Int) { two() }
          func run() {
            put(y: 1)
            Cart.shared.add(Item()).sum()
            extra()
            Item.Kind.all()
            "a".shout()
          }
          func one() {}
          func two() {}
        }
      `,
    'Sources/Shop/Item.swift': dedent`
        struct Item: Counted {
          enum Kind { case big, small
            static func all() -> [Kind] { [] }
          }
          func cost() -> Int { 1 }
          #if os(iOS)
          func phone() { cost() }
          #endif
        }
        struct Price { func log() {} }
        func helper(_ item: Item) { item.cost() }
        class Store {
          func persist() {}
          func prepare() {}
        }
        protocol Counted { func sum() -> Int }
      `,
    'Sources/Shop/Extra.swift': dedent`
        extension Cart: Named {
          func extra() {
            add(Item())
            self.sum()
          }
          var inner: Int { sum() }
          static func make() -> Self { Cart(size: 3) }
        }
        protocol Named {}
        extension String { 
          func shout() { quiet() }
          func quiet() {}
        }
      `,
  };
  it('calls find members of extensions, initializers and what is bound by a condition', async () => {
    expect(await edgesOf(sources)).to.deep.equal([
      'Cart.add -> Cart',
      'Cart.add -> Item.cost',
      'Cart.add -> Price.log',
      'Cart.add -> Store.persist',
      'Cart.add -> helper',
      'Cart.init -> Store.prepare',
      'Cart.put -> Cart.one',
      'Cart.put -> Cart.two',
      'Cart.run -> Cart.add',
      'Cart.run -> Cart.put',
      'Cart.run -> Cart.sum',
      'Cart.run -> Item',
      'Cart.run -> Item.Kind.all',
      'Cart.run -> extra',
      'Cart.run -> shout',
      'Cart.sum -> Item.cost',
      'Cart.total -> Cart.sum',
      'Item.phone -> Item.cost',
      'extra -> Cart.add',
      'extra -> Cart.sum',
      'extra -> Item',
      'helper -> Item.cost',
      'inner -> Cart.sum',
      'make -> Cart',
    ]);
  });

  it('a type conforms to what it and its extensions say', async () => {
    expect(await edgesOf(sources, 'INHERITS')).to.deep.equal([
      'Cart -> Counted',
      'Cart -> Named',
      'Cart -> Store',
      'Item -> Counted',
    ]);
  });

  it('reads what is conditional, and declares properties and cases', async () => {
    const source = dedent`
        /// Colors.
        enum Color { case red, green }
        let limit = 2
        struct Box {
          @available(iOS 13.0, *)
          var size: Int
          func grow(file: String = #file) throws(Oops) {
            if #available(iOS 13.0, *) { size.x() }
          }
          #if DEBUG
          static let name = "a"
          #endif
        }
      `;
    const [file] = await factsOf({ 'Sources/a.swift': source });
    expect(file?.facts.syntaxErrors).to.equal(0);
    const names = file?.facts.declared.map(({ kind, name, around }) => `${kind} ${around}.${name}`);
    expect(names).to.deep.equal([
      'enum_member Color.red',
      'enum_member Color.green',
      'constant .limit',
      'field Box.size',
      'constant Box.name',
    ]);
    expect(file?.facts.definitions[0]).to.include({ kind: 'enum', name: 'Color', line: 2, doc: 'Colors.' });
  });
});

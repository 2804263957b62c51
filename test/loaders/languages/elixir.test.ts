import { expect } from 'chai';
import { edgesOf, factsOf } from '../../support/edges-of.ts';
import { dedent } from '../../support/dedent.ts';

describe('Elixir', () => {
  const others = {
    'lib/shop/item.ex': 'defmodule Shop.Item do\n  defstruct [:a]\n  def new, do: nil\n  def named(i, n), do: i\nend',
    'lib/shop/price.ex': 'defmodule Shop.Price do\n  def of(x), do: x\n  def of(x, y), do: of(x)\nend',
    'lib/shop/text.ex': 'defmodule Shop.Tools.Text do\n  def upper(x), do: x\nend',
    'lib/shop/math.ex':
      'defmodule Shop.Math do\n  def sum(a, b), do: a\n  def put(a), do: a\n  defmacro half(a), do: a\nend',
  };

  it('calls go by the modules’ names, aliases, imports, pipes and captures', async () => {
    const cart = dedent`
        defmodule Shop.Cart do
          alias Shop.{Item, Price}
          alias Shop.Tools.Text, as: T
          import Shop.Math
          def add(cart, item) when is_map(item) do
            item |> Item.named("x") |> put(cart)
            T.upper("a")
            sum(1, 2)
            Enum.map([], &Price.of/1)
            fun = fn x -> half(x) end
            fun.(%Item{})
            __MODULE__.total(cart)
            sum(1)
          end
          defp put(cart, item), do: cart
          def total(cart), do: Kernel.abs(cart) + size(1)
          defdelegate of(x), to: Price
          defmodule Inner do
            def run(x), do: Shop.Cart.add(x, 1) && put(1, 2) && T.upper(x)
          end
          def inner, do: Inner.run(1)
        end
      `;
    expect(await edgesOf({ ...others, 'lib/shop/cart.ex': cart })).to.deep.equal([
      'Shop.Cart.Inner.run -> Shop.Cart.add',
      'Shop.Cart.Inner.run -> Shop.Tools.Text.upper',
      'Shop.Cart.add -> Shop.Cart.put',
      'Shop.Cart.add -> Shop.Cart.total',
      'Shop.Cart.add -> Shop.Item',
      'Shop.Cart.add -> Shop.Item.named',
      'Shop.Cart.add -> Shop.Math.half',
      'Shop.Cart.add -> Shop.Math.sum',
      'Shop.Cart.add -> Shop.Price.of',
      'Shop.Cart.add -> Shop.Tools.Text.upper',
      'Shop.Cart.inner -> Shop.Cart.Inner.run',
      'Shop.Cart.of -> Shop.Price.of',
      'Shop.Price.of -> Shop.Price.of',
    ]);
  });

  it('clauses of one arity are one function, of another arity another one', async () => {
    const source = dedent`
        defmodule A do
          @doc "Counts."
          def count(list, n \\ 0)
          def count([], n), do: n
          def count([_ | rest], n), do: count(rest, n + 1)
          def count(a, b, c), do: count(a) + count(b, c)
          defmacro __using__(_) do
            quote do
              def count(a, b), do: a
            end
          end
        end
      `;
    const [file] = await factsOf({ 'lib/a.ex': source });
    const { definitions = [] } = file?.facts ?? {};
    const shown = definitions.map(({ kind, name, line, endLine, doc }) => [kind, name, line, endLine, doc]);
    expect(shown).to.deep.equal([
      ['class', 'A', 1, 12, null],
      ['method', 'count', 3, 5, 'Counts.'],
      ['method', 'count', 6, 6, null],
      ['method', '__using__', 7, 11, null],
      ['function', 'count', 9, 9, null],
    ]);
    expect(await edgesOf({ 'lib/a.ex': source })).to.deep.equal(['A.count -> A.count', 'A.count -> A.count']);
  });

  it('who implements a protocol or a behaviour inherits from it', async () => {
    const source = dedent`
        defprotocol Shop.Sized do
          def size(x)
        end
        defimpl Shop.Sized, for: Shop.Cart do
          def size(x), do: x
        end
        defmodule Shop.Other do
          @behaviour Shop.Base
          def go(x), do: Shop.Sized.size(x)
        end
        defmodule Shop.Base do
          @callback go(a :: term) :: term
        end
      `;
    expect(await edgesOf({ 'lib/a.ex': source }, 'INHERITS')).to.deep.equal([
      'Shop.Other -> Shop.Base',
      'Shop.Sized.Shop.Cart -> Shop.Sized',
    ]);
    expect(await edgesOf({ 'lib/a.ex': source })).to.deep.equal(['Shop.Other.go -> Shop.Sized.size']);
  });

  it('declares attributes, types and what a struct has', async () => {
    const source =
      'defmodule A do\n  @moduledoc "x"\n  @limit 5\n  @type t :: integer\n  defstruct [:a, b: 1]\n  def f, do: @limit\nend';
    const [file] = await factsOf({ 'lib/a.ex': source });
    const names = file?.facts.declared.map(({ kind, name, around }) => `${kind} ${around}.${name}`);
    expect(names).to.deep.equal(['constant A.limit', 'type_alias A.t', 'field A.a', 'field A.b']);
  });
});

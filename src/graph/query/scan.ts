import type { Key, NodeValue, Value } from '../../model/property-graph.ts';
import { compile } from './compile.ts';
import { Preparation, batched } from './execution.ts';
import type { Execution, Operator, Rows } from './execution.ts';
import type { Row, Scope } from './scope.ts';
import type { Expression } from './syntax.ts';
import { keyOf } from './values.ts';

/** A property whose value is known before, or is one of a list. */
export interface Seek {
  property: string;
  value: Expression;
  isList: boolean;
}

/** Nodes that are looked up once for many rows are remembered, up to so many. */
const maxRemembered = 5_000;

/** Puts each node that may fit beside each row. */
export function scan(
  {
    slot,
    name,
    label,
    seeks,
    scope,
  }: { slot: number; name: string | null; label: string | null; seeks: readonly Seek[]; scope: Scope },
  execution: Execution,
): Operator {
  const { graph, effort } = execution;
  // Of two lists one is looked up, and the other asked of what was found.
  const list = seeks.find(({ isList }) => isList && !seeks.some((each) => !each.isList));
  const used = seeks.filter((each) => !each.isList || each === list);
  const values = used.map(({ value }) => compile(value, scope, execution));
  const preparation = new Preparation(execution, values, () => {
    throw new Error('What a node is looked up by has no patterns.');
  });
  const remembered = new Map<string, readonly NodeValue[]>();

  async function* nodes(equal: ReadonlyMap<string, Value>): AsyncIterable<NodeValue> {
    const key = keyOf(new Map(equal));
    const known = remembered.get(key);
    if (known) {
      yield* known;
      return;
    }
    let found: NodeValue[] | null = [];
    for await (const batch of graph.nodes({ label, equal })) {
      effort.spend(batch.length);
      await effort.turn();
      for (const each of batch) {
        const node = execution.node(each);
        if (found && found.length < maxRemembered) found.push(node);
        else found = null;
        yield node;
      }
    }
    if (found) {
      effort.keep(found.length);
      remembered.set(key, found);
    }
  }

  /** What is looked up for a row: once, or once for each element of a list. */
  function* lookUps(row: Row): Iterable<ReadonlyMap<string, Value>> {
    const given = used.map(({ property, isList }, index) => ({
      property,
      isList,
      value: values[index]?.evaluate(row) ?? null,
    }));
    if (given.some(({ value }) => value === null)) return;
    const single = new Map(given.filter(({ isList }) => !isList).map(({ property, value }) => [property, value]));
    const several = given.find(({ isList }) => isList);
    if (!several) return yield single;
    const elements = Array.isArray(several.value) ? several.value : [];
    for (const value of new Map(elements.map((each) => [keyOf(each), each])).values())
      if (value !== null) yield new Map(single).set(several.property, value);
  }

  async function* found(rows: Rows): AsyncIterable<Row> {
    for await (const batch of rows) {
      await preparation.of(batch);
      for (const row of batch) {
        // What is looked up by several values may come for more than one of them.
        const seen = new Set<Key>();
        for (const equal of lookUps(row)) {
          for await (const node of nodes(equal)) {
            effort.spend(1);
            if (list && seen.has(node.key)) continue;
            if (list) seen.add(node.key);
            const copy = [...row];
            copy[slot] = node;
            yield copy;
          }
        }
      }
    }
  }

  const by = used.map(({ property, isList }) => `${property} ${isList ? 'IN' : '='} …`).join(', ');
  return {
    name: used.length > 0 ? 'NodeSeek' : label === null ? 'AllNodesScan' : 'NodeByLabelScan',
    detail: `(${name ?? ''}${label === null ? '' : `:${label}`}${by && ` {${by}}`})`,
    run: (rows) => batched(found(rows)),
  };
}

import { expect } from 'chai';
import { edge, repository } from '../contract/graph-store.ts';
import { describeService } from '../support/service.ts';

const charge = 'payments-api/src/chargeCard.ts#chargeCard';

describeService('POST /api/graph/query', (service) => {
  let key: string;
  before(async () => {
    key = (await service().createKey('queries')).api_key;
  });
  const ask = (query: string, parameters?: unknown) => send(JSON.stringify({ query, parameters }));
  const send = (body: string) =>
    service().send('/api/graph/query', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body,
    });

  describe('200', () => {
    it('answers with columns and rows, in order', async () => {
      const { status, json } = await ask(
        'MATCH (n:Function)<-[:CALLS]-(m) WHERE n.id = $id RETURN m.name AS caller, n.line',
        { id: charge },
      );
      expect(status).equals(200);
      expect(json).deep.includes({ columns: ['caller', 'n.line'], rows: [['parsePaymentRequest', 3]] });
      expect(json['work']).greaterThan(0);
    });

    it('gives nodes, edges and paths in the words of the API', async () => {
      const { json } = await ask('MATCH p = (r:Repository {id: "payments-api"})-[e:DEPENDS_ON]->(d) RETURN r, e, p');
      const [[node, own, path] = []] = json['rows'] as [
        Record<string, unknown>,
        Record<string, unknown>,
        { nodes: unknown[]; edges: unknown[] },
      ][];
      expect(node).includes({
        type: 'Repository',
        id: 'payments-api',
        name: 'payments-api',
        repository: 'payments-api',
      });
      expect(own).deep.equals({
        type: 'DEPENDS_ON',
        from: 'payments-api',
        to: 'ledger',
        weight: 4,
        confidence: 1,
        strategy: 'manifest',
      });
      expect(path?.nodes[0]).deep.equals(node);
      expect(path?.edges).deep.equals([own]);
    });

    it('writes what JSON has no number for as a text', async () => {
      const { json } = await ask('RETURN 9223372036854775807 AS a, 0.0 / 0.0 AS b, 1.5 AS c, $list AS d', {
        list: [1, 1.5, { __proto__x: null }],
      });
      expect(json['rows']).deep.equals([['9223372036854775807', 'NaN', 1.5, [1, 1.5, { __proto__x: null }]]]);
    });

    it('explains', async () => {
      const { json } = await ask('EXPLAIN MATCH (n:Function {id: $id}) OPTIONAL MATCH (n)--(m) RETURN m', {
        id: charge,
      });
      expect(json).deep.includes({ columns: ['m'], rows: null, work: 0 });
      expect(
        (json['plan'] as { operator: string; depth: number }[]).map(({ operator, depth }) => `${depth} ${operator}`),
      ).deep.equals(['0 NodeSeek', '0 Filter', '0 Filter', '0 Optional', '1 Expand', '0 Project', '0 Columns']);
    });

    it('shows nothing of what the caller does not see, by any construct', async () => {
      const { graph } = service().stores;
      await graph.replaceRepository(
        repository('hidden~secret', { symbols: ['sesame', 'other'], contributors: ['a1', 'mallory'] }),
      );
      const links = [
        edge('DEPENDS_ON', 'hidden~secret', 'ledger'),
        edge('CALLS', 'hidden~secret/lib.js#sesame', charge),
      ];
      await graph.replaceLinks({ repository: 'hidden~secret', generation: 'one', edges: links });
      try {
        for (const query of [
          'MATCH (n) RETURN n',
          'MATCH (n) RETURN count(n), collect(n.id), collect(properties(n)), collect(keys(n))',
          'MATCH (n)-[r]-(m) RETURN n, r, m',
          'MATCH p = (n {id: $ledger})-[*0..4]-(m) RETURN p, nodes(p), relationships(p)',
          'MATCH (n {id: $secret}) RETURN n',
          'MATCH (n) WHERE n.id IN [$secret, $symbol] RETURN n',
          'MATCH (n {repository: "hidden~secret"}) RETURN n',
          'MATCH (n {name: "sesame"}) RETURN n',
          'MATCH (n) WHERE exists { (n)--(m) WHERE m.id STARTS WITH "hidden" } RETURN n',
          'MATCH (n) RETURN [(n)--(m) | m]',
          'MATCH (n) RETURN n.id, size([(n)<--(m) | m])',
          'MATCH (n {id: $charge})<-[r:CALLS]-(m) RETURN startNode(r), m',
          'MATCH (c:Contributor)-->(r) RETURN c, r',
          'OPTIONAL MATCH (n {id: $symbol}) RETURN n',
          'MATCH (n:`Node`) RETURN n UNION MATCH (n:Snapshot) RETURN n UNION MATCH (n:Version) RETURN n',
          'MATCH (n) RETURN n.version, n.link',
        ]) {
          const { status, json } = await ask(query, {
            ledger: 'ledger',
            charge,
            secret: 'hidden~secret',
            symbol: 'hidden~secret/lib.js#sesame',
          });
          expect(status, query).equals(200);
          expect(JSON.stringify(json['rows']), query).not.match(/secret|sesame|mallory/);
        }
        expect(
          (await ask('MATCH (n {id: $charge})<-[:CALLS]-(m) RETURN count(*)', { charge })).json['rows'],
        ).deep.equals([[1]]);
      } finally {
        await graph.removeRepository('hidden~secret');
      }
    });
  });

  describe('422', () => {
    it('says where the query is wrong, and why', async () => {
      const { status, json } = await ask('MATCH (n)\nRETURN m');
      expect(status).equals(422);
      expect(json).includes({ code: 'invalid_query', reason: 'UndefinedVariable', line: 2, column: 8 });
    });

    it('only reads', async () => {
      for (const query of [
        'MATCH (n) DETACH DELETE n',
        'CREATE (n)',
        'CALL db.labels()',
        "LOAD CSV FROM 'file:///etc/passwd' AS x RETURN x",
      ])
        expect((await ask(query)).json).includes({ code: 'invalid_query' });
      expect((await ask('MATCH (n) RETURN count(n) > 0')).json['rows']).deep.equals([[true]]);
    });

    it('says what takes too much', async () => {
      for (const [reason, query] of [
        ['hops', 'MATCH (a)-[*]->(b) RETURN b'],
        ['work', 'UNWIND range(1, 9999) AS a UNWIND range(1, 9999) AS b RETURN count(*)'],
        ['rows', 'UNWIND range(1, 10001) AS a RETURN a'],
      ])
        expect((await ask(query ?? '')).json).includes({ code: 'query_too_large', reason });
    });

    it('refuses parameters that go too deep', async () => {
      const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
      expect((await send(`{"query": "RETURN $a", "parameters": {"a": ${deep}}}`)).json).includes({
        code: 'validation_error',
      });
    });

    it('refuses a body without a query', async () => {
      expect((await ask('')).json).includes({ code: 'validation_error' });
    });
  });
});

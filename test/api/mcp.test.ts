import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect } from 'chai';
import { describeService } from '../support/service.ts';

describeService('/mcp', (service) => {
  const open = async (key: string) => {
    const client = new Client({ name: 'test', version: '1.0.0' });
    const url = new URL(`http://127.0.0.1:${service().port}/mcp`);
    await client.connect(
      new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization: `Bearer ${key}` } } }),
    );
    return client;
  };
  const callWith = (client: Client) => async (name: string, given: Record<string, unknown>) => {
    const { content, isError } = await client.callTool({ name, arguments: given });
    const [first] = content as { type: string; text: string }[];
    return { text: first?.text ?? '', isError: isError ?? false };
  };
  let client: Client;
  let call: ReturnType<typeof callWith>;
  before(async () => {
    const { api_key } = await service().createKey('agents', 'viewer');
    client = await open(api_key);
    call = callWith(client);
  });
  after(() => client.close());

  it('says what it is for and what each tool takes', async () => {
    expect(client.getServerVersion()).includes({ name: 'repo-intel' });
    expect(client.getInstructions()).includes('search_code');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).deep.equals([
      'search_code',
      'search_text',
      'read_symbol',
      'list_repositories',
      'neighbors',
      'impact',
      'path',
      'query_graph',
      'change',
      'repository_health',
      'list_tasks',
      'get_task',
    ]);
    for (const { name, description, inputSchema, annotations } of tools) {
      expect(description?.length, name).within(40, 400);
      expect(inputSchema, name).property('type', 'object');
      expect(annotations).includes({ readOnlyHint: true });
      for (const property of Object.values(inputSchema.properties ?? {}))
        expect(property, name).property('description').that.is.a('string');
    }
  });

  it('finds, follows and explains with ids and positions, as the API does', async () => {
    const found = await call('search_code', { query: 'parse payment request', type: 'Function' });
    expect(found.text.split('\n').slice(0, 2)).deep.equals([
      '2 of 2 for "parse payment request" or some of its words, best first:',
      '- Function parsePaymentRequest (TypeScript) at payments-api: src/parsePaymentRequest.ts:3 [id: payments-api/src/parsePaymentRequest.ts#parsePaymentRequest]',
    ]);
    expect((await call('search_code', { query: 'RETRY_LIMIT', kind: 'constant' })).text.split('\n')).deep.equals([
      '1 of 1 for "RETRY_LIMIT", best first:',
      '- Declaration RETRY_LIMIT (constant, TypeScript) at payments-api: src/settings.ts:4',
      '  also at src/worker.ts:9, src/worker.ts:30',
    ]);
    const charge = 'payments-api/src/chargeCard.ts#chargeCard';
    const parse = 'payments-api/src/parsePaymentRequest.ts#parsePaymentRequest';
    const callers = await call('neighbors', {
      repository: 'payments-api',
      node: charge,
      direction: 'in',
      edge_types: ['CALLS'],
    });
    expect(callers.text)
      .match(/^1 of 1 next to /)
      .and.includes(`[id: ${parse}]\n`);
    expect(callers.text).includes('it CALLS this, certain to 0.9');
    expect((await call('impact', { id: charge })).text)
      .match(/^1 affected by a change of .* \(1 at depth 1\):\n/)
      .and.includes(parse);
    expect((await call('path', { from: 'payments-api', to: 'ledger' })).text).includes(
      '- payments-api DEPENDS_ON ledger',
    );
    expect((await call('path', { from: 'ledger', to: charge })).text).equals(
      `No way leads from ledger to ${charge} over 10 edges or fewer.`,
    );
    const query = 'MATCH (f {id: $id})<-[:CALLS]-(g) RETURN g.name, g.line, [g.id] AS ids';
    expect((await call('query_graph', { query, parameters: { id: charge } })).text).equals(
      `1 rows: g.name | g.line | ids\n- parsePaymentRequest | 3 | ["${parse}"]`,
    );
    expect((await call('query_graph', { query: `EXPLAIN ${query}`, parameters: { id: charge } })).text).match(
      /^- NodeSeek/,
    );
    expect((await call('list_repositories', {})).text).match(
      /^(\d+) of \1 repositories, (\d+) of \2 dependencies:\n- Repository /,
    );
  });

  it('says in words what is wrong, and stays usable', async () => {
    for (const [tool, given, says] of [
      ['impact', { id: 'nowhere#nothing' }, /\(node_not_found\)$/],
      ['repository_health', { repository: 'nowhere' }, /\(repository_not_found\)$/],
      ['query_graph', { query: 'MATCH (n) DELETE n' }, /^DELETE writes.*line 1, column 11\) \(invalid_query\)$/],
      ['get_task', { instance_id: 'no__task-1' }, /\(task_not_found\)$|_not_found\)$/],
    ] as const) {
      const answer = await call(tool, given);
      expect(answer.isError, tool).equals(true);
      expect(answer.text).match(says);
    }
    const wrong = await call('search_code', { query: '' }).catch((error: Error) => ({
      isError: true,
      text: error.message,
    }));
    expect(wrong.isError).equals(true);
    expect((await call('list_repositories', {})).isError).equals(false);
  });

  it('a tool costs what its route costs, the rest nothing', async () => {
    const { api_key } = await service().createKey('metered-agents', 'member');
    const own = await open(api_key);
    const usage = async () => {
      const { json } = await service().send('/v1/billing/usage', { headers: { authorization: `Bearer ${api_key}` } });
      return json['totals'] as Record<string, number>;
    };
    expect(await usage()).includes({ calls: 0 });
    await own.listTools();
    expect(await usage()).includes({ calls: 0, credits_used: 0 });
    await callWith(own)('search_code', { query: 'charge' });
    await callWith(own)('path', { from: 'payments-api', to: 'ledger' });
    expect(await usage()).includes({ calls: 2, credits_used: 3 });
    await own.close();
  });

  it('is closed to whoever has no key, and takes nothing but messages of the protocol', async () => {
    const send = (body: string, headers: Record<string, string> = {}) =>
      service().send('/mcp', { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });
    const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    expect((await send(list)).status).equals(401);
    const { api_key } = await service().createKey('agents', 'viewer');
    const known = { authorization: `Bearer ${api_key}`, accept: 'application/json, text/event-stream' };
    expect((await send('{"jsonrpc":"1.0"}', known)).status).equals(422);
    expect((await send('{', known)).status).equals(400);
    const unknown = await send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/nonsense' }), known);
    expect([unknown.status, unknown.text]).satisfies(
      ([status, text]: [number, string]) => status === 200 && text.includes('"code":-32601'),
    );
    expect((await service().get('/mcp')).status).equals(405);
  });

  it('answers only where Host and Origin name this service: a page of another site may not ask through a browser', async () => {
    const { api_key } = await service().createKey('agents', 'viewer');
    const ask = async (headers: Record<string, string>) => {
      const { status, text } = await service().send('/mcp', {
        method: 'POST',
        headers: {
          authorization: `Bearer ${api_key}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      });
      return status === 200 ? 200 : (JSON.parse(text) as { code: string }).code;
    };
    const { port } = service();
    for (const headers of [
      {},
      { host: `localhost:${port}` },
      { host: `[::1]:${port}` },
      { host: 'ris.example' },
      { host: 'RIS.example:443' },
      { origin: `http://127.0.0.1:${port}` },
      { host: 'localhost:1', origin: 'http://localhost:1' },
      { origin: 'https://ris.example' },
    ])
      expect(await ask(headers), JSON.stringify(headers)).equals(200);
    for (const headers of [
      { host: `evil.example:${port}` },
      { host: 'ris.example.evil.example' },
      { host: `evil.example:${port}`, origin: `http://evil.example:${port}` },
      { host: `evil.example:${port}`, origin: 'https://ris.example' },
      { origin: 'https://evil.example' },
      { origin: 'http://ris.example' },
      { origin: 'https://ris.example.evil.example' },
      { origin: 'http://localhost:1' },
      { origin: 'null' },
      { origin: '' },
    ])
      expect(await ask(headers), JSON.stringify(headers)).equals('foreign_origin');
  });

  it('answers more questions at once than one organization may have in turn', async () => {
    const all = await Promise.all(Array.from({ length: 100 }, () => call('neighbors', { repository: 'payments-api' })));
    expect(all.filter(({ isError }) => isError)).deep.equals([]);
  });

  it('keeps no stream open for changes that never come', async () => {
    const { api_key } = await service().createKey('agents', 'viewer');
    const revision = 'io.modelcontextprotocol/';
    const { status, text } = await service().send('/mcp', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${api_key}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'subscriptions/listen',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'subscriptions/listen',
        params: {
          _meta: {
            [`${revision}protocolVersion`]: '2026-07-28',
            [`${revision}clientInfo`]: { name: 'test', version: '1' },
            [`${revision}clientCapabilities`]: {},
          },
          notifications: { toolsListChanged: true },
        },
      }),
    });
    // Else the deadline of requests would end it, with another answer.
    expect([status, text]).deep.equals([
      200,
      '{"jsonrpc":"2.0","error":{"code":-32603,"message":"Subscription limit reached"},"id":1}',
    ]);
  });
});

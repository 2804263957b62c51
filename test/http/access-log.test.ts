import { expect } from 'chai';
import { z } from 'zod';
import { route } from '../../src/http/route.ts';
import { startKernel } from '../support/kernel.ts';

const thing = route({
  method: 'GET',
  path: '/api/things/{name}',
  operation_id: 'get_thing',
  summary: 'A thing',
  access: 'tenant',
  product: 'things',
  credits: 1,
  params: { name: z.string() },
  response: z.object({}),
  handle: () => ({}),
});

describe('http: access log', () => {
  it('tells of each request what came of it, and nothing that may be secret', async () => {
    const records: unknown[] = [];
    const kernel = await startKernel([thing], { access: (record) => records.push(record) });
    const answers = [
      await kernel.get('/api/things/secret', { 'x-request-id': 'job-7', cookie: 'secret' }),
      await kernel.get('/api/things/a?token=secret', { 'x-request-id': 'se cret' }),
      await kernel.send('/secret', { headers: { authorization: 'Bearer secret' } }),
    ];
    await kernel.close();
    expect(JSON.stringify(records)).not.match(/secret|se cret|Bearer/);
    const known = { operation: 'get_thing', organization_id: 'org_acme', key_id: 'key_anna' };
    const unknown = { operation: null, organization_id: null, key_id: null };
    const expected = [
      { ...known, status: 200, code: null, client_request_id: 'job-7' },
      { ...known, status: 422, code: 'unknown_parameter', client_request_id: null },
      { ...unknown, status: 401, code: 'invalid_api_key', client_request_id: null },
    ];
    for (const [i, record] of records.entries())
      expect(record).includes({ ...expected[i], method: 'GET', request_id: answers[i]?.headers['x-request-id'] });
    expect(records).lengthOf(3);
  });
});

import { expect } from 'chai';
import { z } from 'zod';
import { route } from '../../src/http/route.ts';
import type { Kernel } from '../support/kernel.ts';
import { startKernel } from '../support/kernel.ts';

const shared = { summary: 'Things', access: 'tenant', product: null, credits: 0, response: z.string() } as const;
const params = { id: z.string() };
const routes = [
  route({ ...shared, method: 'GET', path: '/v1/things/{id}', operation_id: 'get', params, handle: () => 'one' }),
  route({ ...shared, method: 'DELETE', path: '/v1/things/{id}', operation_id: 'delete', params, handle: () => 'gone' }),
  route({ ...shared, method: 'GET', path: '/v1/things/types', operation_id: 'types', handle: () => 'types' }),
];

describe('http: find', () => {
  let kernel: Kernel;
  before(async () => (kernel = await startKernel(routes)));
  after(() => kernel.close());
  const send = (method: string, path: string) =>
    kernel.send(path, { method, headers: { authorization: 'Bearer anna' } });

  it('a path without parameters wins, in whichever order the routes come', async () => {
    expect((await send('GET', '/v1/things/types')).json).equals('types');
    expect((await send('GET', '/v1/things/type')).json).equals('one');
    expect((await send('DELETE', '/v1/things/type')).json).equals('gone');
  });

  it('the methods of a path with parameters are not those of one that wins over it', async () => {
    const { status, headers } = await send('DELETE', '/v1/things/types');
    expect([status, headers.allow]).deep.equals([405, 'GET, HEAD, OPTIONS']);
    expect((await send('OPTIONS', '/v1/things/a')).headers.allow).equals('GET, HEAD, DELETE, OPTIONS');
  });
});

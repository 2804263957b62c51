import { createMcpHandler } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { problems } from '../http/problems.ts';
import { Reply, route } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { createMcpServer } from './server.ts';
import type { Answered } from './tools.ts';

const message = z
  .looseObject({
    jsonrpc: z.literal('2.0'),
    id: z.union([z.string(), z.number()]).optional(),
    method: z.string().max(256),
    params: z.looseObject({}).optional(),
  })
  .meta({ description: 'A JSON-RPC request or notification of the Model Context Protocol.' });

/** `/mcp`: the Model Context Protocol over streamable HTTP, without sessions. `ask` is a request to this service itself. */
export function mcpRoutes({
  baseUrl,
  version,
  ask,
}: {
  baseUrl: string;
  version: string;
  ask: (path: string, headers: Record<string, string>, body?: unknown) => Promise<Answered>;
}): Route[] {
  return [
    route({
      method: 'POST',
      path: '/mcp',
      operation_id: 'mcp',
      summary: 'The Model Context Protocol, for coding agents',
      description:
        'Streamable HTTP, without sessions: a message a request. Each tool that is called asks a route of this API with the same key, and costs what that costs; the rest is free.',
      access: 'tenant',
      product: null,
      credits: 0,
      readOnly: true,
      cache: 'none',
      errors: [problems.foreign_origin],
      delegates: true,
      ownOrigin: true,
      body: message,
      produces: ['application/json', 'text/event-stream'],
      response: z.unknown().meta({ description: 'A JSON-RPC response; nothing after a notification.' }),
      example: { jsonrpc: '2.0', id: 1, result: {} },
      handle: async ({ body, request: { headers } }) => {
        const own = { authorization: headers.authorization ?? '' };
        const handler = createMcpHandler(
          () => createMcpServer({ ask: (path, given) => ask(path, own, given), version }),
          // Its tools never change, and a stream of nothing would stay open for ever.
          { maxSubscriptions: 0 },
        );
        const asked = new Request(`${baseUrl}/mcp`, {
          method: 'POST',
          headers: Object.entries(headers).flatMap(([name, value]) =>
            /^(accept|content-type|mcp-.*)$/.test(name) ? [[name, String(value)] as [string, string]] : [],
          ),
          body: JSON.stringify(body),
        });
        const response = await handler.fetch(asked, { parsedBody: body });
        const bytes = new Uint8Array(await response.arrayBuffer());
        return new Reply(bytes, {
          // What is wrong with a message is said in the message that answers it.
          status: response.status === 202 ? 202 : 200,
          type: response.headers.get('content-type') ?? 'application/json',
        });
      },
    }),
  ];
}

import { McpServer } from '@modelcontextprotocol/server';
import { tools } from './tools.ts';
import type { Ask } from './tools.ts';

const instructions = `Answers about repositories that were loaded into a Repository Intelligence Service: their code as a graph (who calls, \
inherits, imports and depends on what), search over all of it, due diligence, and software-engineering tasks. Begin with search_code or \
list_repositories; the ids that they give are what the other tools take. Positions are path:line in the repository named.`;

/** An MCP server whose tools ask the service's own API, with the rights and at the cost of whoever asks. */
export function createMcpServer({ ask, version }: { ask: Ask; version: string }): McpServer {
  const server = new McpServer(
    { name: 'repo-intel', title: 'Repository Intelligence', version },
    { capabilities: { tools: {} }, instructions },
  );
  for (const { name, title, description, input, answer } of tools) {
    const annotations = { readOnlyHint: true, openWorldHint: false };
    server.registerTool(name, { title, description, inputSchema: input, annotations }, async (given) => {
      const { text, isError } = await answer(given, ask);
      return { content: [{ type: 'text', text }], ...(isError ? { isError } : {}) };
    });
  }
  return server;
}

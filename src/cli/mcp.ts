import { once } from 'node:events';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { Command } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import type { Config } from '../config.ts';
import { createMcpServer } from '../mcp/server.ts';
import { askService } from './ask-service.ts';
import { loggedIn } from './whoami.ts';

export function mcpCommand({ credentialsFile: file }: Config): Command {
  return new Command('mcp')
    .description(
      'answer a coding agent over standard input and output, from the service that this command line is logged in to',
    )
    .addHelpText(
      'after',
      `
An agent starts it by itself; \`repo-intel login\` comes first. Where the agent speaks HTTP, the service's own /mcp with an API
key does the same without this command.

Example, in an agent's configuration:
  {"mcpServers": {"repo-intel": {"command": "repo-intel", "args": ["mcp"]}}}`,
    )
    .action(async () => {
      const { url, api_key: key } = await loggedIn(file);
      const ask = async (path: string) => {
        const { status, text } = await askService(url, path, { key });
        return { status, json: JSON.parse(text) as unknown };
      };
      const { close } = serveStdio(() => createMcpServer({ ask, version: packageJson.version }));
      await once(process.stdin, 'end');
      await close();
    });
}

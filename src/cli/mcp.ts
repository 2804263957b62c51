import { once } from 'node:events';
import { cwd } from 'node:process';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { Command } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import type { Config } from '../config.ts';
import { createMcpServer } from '../mcp/server.ts';
import type { Answered, Ask } from '../mcp/tools.ts';
import { askHolder } from './ask-holder.ts';
import { askService } from './ask-service.ts';
import { readCredentials } from './credentials.ts';
import type { Credentials } from './credentials.ts';
import type { Io } from './io.ts';

export function mcpCommand(config: Config, io: Io): Command {
  return new Command('mcp')
    .description(
      'answer a coding agent over standard input and output: about the repository that it stands in and all that are loaded',
    )
    .option(
      '--working-tree',
      'about the repository as it lies here, with what is not committed yet (the default)',
      true,
    )
    .option('--no-working-tree', 'as it was last committed')
    .addHelpText(
      'after',
      `
An agent starts it by itself. It answers from the data folder, without login, and loads the repository first; where this command line
is logged in to a service (\`repo-intel login\`), from that. Where the agent speaks HTTP, a service's own /mcp with an API key does the
same without this command.

Example, in an agent's configuration:
  {"mcpServers": {"repo-intel": {"command": "repo-intel", "args": ["mcp"]}}}`,
    )
    .action(async ({ workingTree }: { workingTree: boolean }) => {
      const credentials = await readCredentials(config.credentialsFile);
      const ask = credentials ? askAs(credentials) : askHere(config, io, workingTree);
      const { close } = serveStdio(() => createMcpServer({ ask, version: packageJson.version }));
      await once(process.stdin, 'end');
      await close();
    });
}

const askAs =
  ({ url, api_key: key }: Credentials): Ask =>
  async (path, body) => {
    const asked = body === undefined ? { key } : { key, method: 'POST' as const, body };
    const { status, text } = await askService(url, path, asked);
    return { status, json: JSON.parse(text) as unknown };
  };

const askHere = (config: Config, io: Io, workingTree: boolean): Ask => {
  const { organization } = config;
  const from = { folder: cwd(), workingTree, ...(organization === undefined ? {} : { organization }) };
  return async (path, body) => (await askHolder(config, 'get', { path, body, ...from }, io)) as Answered;
};

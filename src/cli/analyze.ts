import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { Command } from 'commander';
import type { Config } from '../config.ts';
import type { Snapshot } from '../model/snapshot.ts';
import type { Io } from './io.ts';

export function analyzeCommand(_config: Config, io: Io): Command {
  return new Command('analyze')
    .description('analyse one repository or folder without loading it; only facts leave the machine, never source')
    .argument('<path>', 'folder, with or without .git')
    .option('-o, --output <file>', 'write the snapshot here (.jsonl, .jsonl.gz, .jsonl.zst); - is stdout')
    .option('--edges <file>', 'write CALLS and INHERITS here, a JSON line each: type, from and to as path:line')
    .option('--name <name>', 'name of the repository (default: of the folder)')
    .option('--ref <ref>', 'branch, tag or commit to read (default: HEAD)')
    .addHelpText(
      'after',
      '\nExamples:\n  $ repo-intel analyze ~/src/payments -o payments.jsonl.zst\n  $ repo-intel load payments.jsonl.zst        # on another machine',
    )
    .action(
      async (
        path: string,
        options: { output?: string; edges?: string; name?: string; ref?: string },
        command: Command,
      ) => {
        if (!options.output && !options.edges)
          command.error('error: say where to: -o FILE or --edges FILE', { exitCode: 2 });
        const { analyze } = await import('../../loaders/analyze.ts');
        const { encodeSnapshot, writeSnapshotFile } = await import('../../loaders/records/snapshot-file.ts');
        const snapshot = await analyze(path, { ...options, onProgress: (progress) => io.progress(progress) });
        io.done();
        for (const warning of snapshot.repository.warnings) io.say(`${snapshot.repository.name}: ${warning}`);
        if (options.output === '-')
          for (const chunk of encodeSnapshot(snapshot)) await io.out(Buffer.from(chunk).toString());
        else if (options.output) await writeSnapshotFile(options.output, snapshot);
        if (options.edges) await writeEdges(options.edges, snapshot);
        const { files_parsed, files_skipped, calls, calls_resolved } = snapshot.repository.completeness;
        io.say(
          `${snapshot.repository.name}: ${files_parsed} files parsed, ${files_skipped} left out, ${calls_resolved} of ${calls} calls lead into the repository.`,
        );
      },
    );
}

async function writeEdges(file: string, { nodes, edges }: Snapshot): Promise<void> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const out = createWriteStream(file);
  for (const { type, from, to, confidence, strategy } of edges) {
    if ((type !== 'CALLS' && type !== 'INHERITS') || confidence < 0.5) continue;
    // `class A(B[T])`: the graph has the edge, Python's static analysers do not, and this file is for comparison with them.
    if (strategy === 'computed_base') continue;
    const [source, target] = [byId.get(from), byId.get(to)];
    if (!source?.path || !target?.path) continue;
    const row = {
      type,
      from: `${source.path}:${source.line}`,
      to: `${target.path}:${target.line}`,
      from_name: source.name,
      to_name: target.name,
    };
    if (!out.write(`${JSON.stringify(row)}\n`)) await once(out, 'drain');
  }
  out.end();
  await finished(out);
}

import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { Command } from 'commander';
import type { Analysis } from '../../loaders/analyze.ts';
import type { DefinitionRef } from '../../loaders/resolution/definition-ref.ts';
import type { Config } from '../config.ts';
import type { Snapshot } from '../model/snapshot.ts';
import { unparsedIn, unparsedInWords } from '../model/unparsed.ts';
import { coverageOption, readCoverage } from './coverage-option.ts';
import type { Io } from './io.ts';
import { mustBeWritable } from './must-be-writable.ts';
import { readScip, scipOption } from './scip-option.ts';

export function analyzeCommand(config: Config, io: Io): Command {
  return new Command('analyze')
    .description(
      'analyse one repository or folder without loading it; only facts leave the machine, source only with --source',
    )
    .argument('<path>', 'folder, with or without .git')
    .option('-o, --output <file>', 'write the snapshot here (.jsonl, .jsonl.gz, .jsonl.zst); - is stdout')
    .option(
      '--edges <file>',
      'write CALLS and INHERITS here, a JSON line each: type, from and to as path:line; - is stdout',
    )
    .addOption(coverageOption())
    .addOption(scipOption())
    .option(
      '--source',
      'put the text of the files into the snapshot too, so that it can be searched and read where it is loaded',
    )
    .option('--name <name>', 'name of the repository (default: of the folder)')
    .option('--ref <ref>', 'branch, tag or commit to read (default: HEAD)')
    .addHelpText(
      'after',
      '\nExamples:\n  $ repo-intel analyze ~/src/payments -o payments.jsonl.zst\n  $ repo-intel load payments.jsonl.zst        # on another machine',
    )
    .action(
      async (
        path: string,
        options: {
          output?: string;
          edges?: string;
          coverage?: readonly string[];
          scip?: readonly string[];
          source?: boolean;
          name?: string;
          ref?: string;
        },
        command: Command,
      ) => {
        if (!options.output && !options.edges)
          command.error('error: say where to: -o FILE or --edges FILE', { exitCode: 2 });
        if (options.output && options.output !== '-' && !snapshotFile.test(options.output))
          command.error('error: -o takes a name that ends in .jsonl, .jsonl.gz or .jsonl.zst', { exitCode: 2 });
        for (const file of [options.output, options.edges]) if (file && file !== '-') await mustBeWritable(file);
        const coverage = await readCoverage(options.coverage);
        const scip = await readScip(options.scip);
        const { startThreads } = await import('../../loaders/extraction/pool.ts');
        startThreads();
        const { analyze } = await import('../../loaders/analyze.ts');
        const { openVulnerabilityDatabase } = await import('../../loaders/vulnerabilities/vulnerability-database.ts');
        const { encodeSnapshot, writeSnapshotFile } = await import('../../loaders/records/snapshot-file.ts');
        const analysis = await analyze(path, {
          ...options,
          keepSource: options.source ?? false,
          coverage,
          scip,
          vulnerabilities: await openVulnerabilityDatabase(config.vulnerabilityDb),
          onProgress: (progress) => io.progress(progress),
        });
        const snapshot = withoutPlace(analysis.snapshot);
        io.done();
        for (const warning of snapshot.repository.warnings) io.say(`${snapshot.repository.name}: ${warning}`);
        if (options.output === '-')
          for (const chunk of encodeSnapshot(snapshot)) await io.out(Buffer.from(chunk).toString());
        else if (options.output) await writeSnapshotFile(options.output, snapshot);
        if (options.edges === '-') for (const line of edgeLines(analysis)) await io.out(line);
        else if (options.edges) await pipeline(edgeLines(analysis), createWriteStream(options.edges));
        const {
          files_parsed,
          files_skipped,
          calls,
          calls_resolved,
          lines = 0,
          lines_unparsed = 0,
        } = snapshot.repository.completeness;
        for (const line of unparsedInWords(
          unparsedIn(snapshot.repository),
          'the snapshot that --output writes names them all',
        ))
          io.say(`${snapshot.repository.name}: ${line}`);
        io.say(
          `${snapshot.repository.name}: ${files_parsed} files parsed, ${files_skipped} left out, ${calls_resolved} of ${calls} calls lead into the repository; ${lines - lines_unparsed} of ${lines} lines could be parsed.`,
        );
      },
    );
}

/** Where it lies on this machine is nobody's business elsewhere, and the same commit gives the same file. */
function withoutPlace({ repository, ...rest }: Snapshot): Snapshot {
  const { name, source, warnings } = repository;
  const named = warnings.map((warning) => warning.replaceAll(source, name));
  return { repository: { ...repository, source: name, warnings: named }, ...rest };
}

const snapshotFile = /\.jsonl(\.gz|\.zst)?$/;

/** Edges by position, for comparison with what compilers and static analysers say; `to_name` is the name at the call site. */
function* edgeLines({ documents, resolution }: Analysis): Generator<string> {
  for (const { type, from, to, confidence, strategy, name } of resolution.edges) {
    if (type === 'IMPORTS' || confidence < 0.5) continue;
    // `class A(B[T])`: the graph has the edge, Python's static analysers do not.
    if (strategy === 'computed_base') continue;
    const [source, target] = [positionOf(documents, from), positionOf(documents, to)];
    if (!source || !target) continue;
    const row = {
      type,
      from: source.position,
      to: target.position,
      from_name: source.name,
      to_name: name === '' ? target.name : name,
    };
    yield `${JSON.stringify(row)}\n`;
  }
}

function positionOf(documents: Analysis['documents'], { document, definition }: DefinitionRef) {
  const file = documents[document];
  const found = file?.facts.definitions[definition];
  return file && found ? { name: found.name, position: `${file.path}:${found.line}` } : null;
}

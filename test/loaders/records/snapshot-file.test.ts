import { createHash } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { expect } from 'chai';
import { analyze } from '../../../loaders/analyze.ts';
import { gatherBoundary } from '../../../loaders/records/boundary.ts';
import {
  decodeSnapshot,
  encodeSnapshot,
  readBoundary,
  readSnapshotFile,
} from '../../../loaders/records/snapshot-file.ts';
import { openTemporaryFile } from '../../../loaders/temporary-file.ts';
import type { Snapshot } from '../../../src/model/snapshot.ts';
import { temporaryFolder, writeFiles } from '../../support/git-repository.ts';

describe('a snapshot file', () => {
  let folder: string;
  let snapshot: Snapshot;
  let lines: string[];
  before(async () => {
    folder = temporaryFolder();
    const manifest = '{"name": "kit", "main": "kit.js", "dependencies": {"base": "1"}}';
    const code =
      "const { send } = require('base');\nconst size = 1;\nexports.make = function make() { return send(); };\n";
    writeFiles(folder, { 'package.json': manifest, 'kit.js': code });
    ({ snapshot } = await analyze(folder, { name: 'kit' }));
    lines = Buffer.concat([...encodeSnapshot(snapshot)])
      .toString()
      .split('\n');
  });
  after(() => rmSync(folder, { recursive: true }));

  it('says all that the snapshot says', async () => {
    const { repository, measurements, nodes, edges, boundary, declared } = await decodeSnapshot(
      encodeSnapshot(snapshot),
      openTemporaryFile(),
    );
    expect({ repository, measurements }).to.deep.equal({
      repository: snapshot.repository,
      measurements: snapshot.measurements,
    });
    expect([[...nodes], [...edges], [...boundary!], [...declared!]]).to.deep.equal([
      [...snapshot.nodes],
      [...snapshot.edges],
      [...snapshot.boundary!],
      [...snapshot.declared!],
    ]);
    expect(declared).not.to.have.length(0);
  });

  it('tells its boundary without the rest', async () => {
    const beginning = `${lines.slice(0, 1 + snapshot.boundary!.length).join('\n')}\n`;
    const head = await readBoundary(Readable.from([zstdCompressSync(beginning)]));
    expect(head).to.deep.equal(gatherBoundary(snapshot.boundary!));
    expect(Object.values(head?.surface.modules ?? {})).to.deep.include({ make: 'kit.js#make' });
    expect(head?.references.map(({ type, module, path }) => [type, module, ...path])).to.deep.include([
      'CALLS',
      'npm base',
      'send',
    ]);
  });

  it('with a line of 3 GB, in 3 MB of gzip, is refused', async () => {
    const packed = gzipSync(Buffer.alloc(64 * 1024 * 1024, 'a'));
    const file = join(folder, 'line.jsonl.gz');
    writeFileSync(file, Buffer.concat(Array<Buffer>(48).fill(packed)));
    const before = process.memoryUsage.rss();
    const refused = await readSnapshotFile(file, openTemporaryFile()).catch((error: unknown) => error);
    expect(String(refused)).to.match(/The snapshot file has a line of more than \d+ characters/);
    expect((process.memoryUsage.rss() - before) / 1e6).to.be.below(1_000);
  });

  it('of many more bytes than it could be packed from is refused', async () => {
    const [head = ''] = lines;
    const counts = { nodes: 10_000_000, edges: 0 };
    const { boundary: _, ...rest } = JSON.parse(head) as Record<string, unknown>;
    const node = JSON.stringify([...snapshot.nodes][0]);
    const bytes = Buffer.from(`${JSON.stringify({ ...rest, counts })}\n${`${node}\n`.repeat(300_000)}`);
    const file = join(folder, 'nodes.jsonl.zst');
    writeFileSync(file, zstdCompressSync(bytes));
    const refused = await readSnapshotFile(file, openTemporaryFile()).catch((error: unknown) => error);
    expect(String(refused)).to.match(
      /The snapshot file has more than \d+ bytes in \d+: `repo-intel analyze` makes none like it/,
    );
  });

  it('of an older version is read without its boundary and its declared names', async () => {
    const { format: _, ...head } = JSON.parse(lines[0]!) as Record<string, unknown> & { counts: object };
    const counts = { ...head.counts, boundary: undefined, declared: undefined };
    const old = [JSON.stringify({ format: 'repo-intel-snapshot/1', ...head, counts, boundary: { surface: {} } })];
    old.push(...lines.slice(1 + snapshot.boundary!.length, -2 - snapshot.declared!.length));
    const text = `${old.join('\n')}\n`;
    const file = Buffer.from(`${text}${JSON.stringify({ sha256: createHash('sha256').update(text).digest('hex') })}\n`);
    const read = await decodeSnapshot([file], openTemporaryFile());
    expect(read).not.to.have.any.keys('boundary', 'declared');
    expect([...read.nodes]).to.deep.equal([...snapshot.nodes]);
    expect(await readBoundary(Readable.from([zstdCompressSync(file)]))).to.equal(null);
  });
});

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { generateRepository } from '../../../bench/generate-repository.ts';
import { extractAll } from '../../../loaders/extraction/extract-all.ts';
import { openFactsSpool } from '../../../loaders/extraction/facts-spool.ts';
import type { Document } from '../../../loaders/facts/document.ts';
import { resolve } from '../../../loaders/resolution/resolve.ts';
import { symbolIds } from '../../../loaders/records/symbol-ids.ts';
import { symbolNodes } from '../../../loaders/records/symbol-nodes.ts';
import { openSnapshot } from '../../../loaders/snapshot/open-snapshot.ts';
import { openTemporaryFile } from '../../../loaders/temporary-file.ts';

/** Classes in several pieces, in languages that have such. */
const pieces = {
  'rb/a.rb': 'class Cart\n  def total\n    tax + 1\n  end\nend\n',
  'rb/b.rb': 'class Cart\n  def tax\n    total\n  end\nend\n',
  'cs/Usings.cs': 'global using Shop.Prices;\n',
  'cs/Price.cs': 'namespace Shop.Prices { public class Price { public int Net() { return 1; } } }\n',
  'cs/A.cs':
    'namespace Shop { public partial class Cart { public int Total() { return Tax() + new Price().Net(); } } }\n',
  'cs/B.cs': 'namespace Shop { public partial class Cart : Price { public int Tax() { return Net(); } } }\n',
  'rs/Cargo.toml': '[package]\nname = "rs"\nversion = "1.0.0"\n',
  // What is above a class is asked about the class itself, and its own calls about what is above it.
  'm/Statistics.java':
    'package m;\npublic class Statistics<T extends Enum> {\n  public Statistics(final T[] keys) {}\n  protected void createAll() { createItem(null); }\n  protected Object createItem(T key) { return null; }\n}\n',
  's/Store.java':
    'package s;\nimport m.Statistics;\npublic class Store extends Statistics<Store.Type> {\n  public enum Type { A; Type() {} }\n  Store() { super(Type.values()); createAll(); }\n  protected Object createItem(Type key) { return super.createItem(key); }\n}\n',
  // A function that its documentation calls a type whose meaning it is.
  'js/list.js':
    '/** @return {List} */\nfunction List() { return []; }\nfunction show() { const list = new List(); list[0].show(); for (const each of list) each.show(); list(); }\nmodule.exports = { List, show };\n',
  'rs/src/lib.rs': 'pub mod cart;\npub mod shown;\n',
  'rs/src/cart.rs': 'pub struct Cart {}\nimpl Cart { pub fn total(&self) -> i32 { self.show() } }\n',
  'rs/src/shown.rs':
    'use crate::cart::Cart;\npub trait Shown { fn show(&self) -> i32; }\nimpl Shown for Cart { fn show(&self) -> i32 { self.total() } }\n',
};

const digestOf = (path: string) => createHash('sha256').update(path).digest().readUInt32LE();

describe('The facts of many files', () => {
  let folder: string;
  let extracted: Awaited<ReturnType<typeof extractAll>>;
  let paths: string[];

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'facts-spool-'));
    generateRepository(folder, 160);
    for (const [path, text] of Object.entries(pieces)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const opened = await openSnapshot(folder);
    paths = opened.files.map(({ path }) => path);
    extracted = await extractAll(opened, openTemporaryFile(), { analyzerVersion: '', onProgress: () => undefined });
  });
  after(() => rmSync(folder, { recursive: true }));

  /** All that resolution says, with so many bytes of facts in memory, and how often they were let go. */
  function resolveWith(bytes: number, minSteps: number, inOrder = extracted.documents) {
    const file = openTemporaryFile();
    const spool = openFactsSpool(file, bytes, minSteps);
    const documents: Document[] = inOrder.map(({ path, facts }) =>
      spool.add(path, structuredClone(facts), JSON.stringify(facts).length),
    );
    spool.complete();
    const read = (path: string) => (existsSync(join(folder, path)) ? readFileSync(join(folder, path), 'utf8') : null);
    const resolution = resolve(documents, { paths, read });
    const symbols = [...symbolNodes('it', documents, new Set(), resolution, symbolIds('it', documents))];
    const { calls } = resolution;
    const edges = [...resolution.edges];
    const outside = [...resolution.outside];
    const externalImports = [...resolution.externalImports];
    const times = documents[0]?.release?.() ?? 0;
    const said = JSON.stringify({ edges, calls, outside, externalImports, symbols });
    const placeOf = ({ document, definition }: { document: number; definition: number }) =>
      `${documents[document]?.path}:${documents[document]?.facts.definitions[definition]?.qualifiedName}`;
    const named = edges.map(({ type, from, to, line }) => `${type} ${placeOf(from)} ${line} ${placeOf(to)}`).sort();
    file.close();
    return { times, said, edges, named };
  }

  it('say the same whether all of them, some, or those of one file fit into memory', () => {
    const all = resolveWith(2 ** 30, 0);
    expect(all.times).to.equal(0);
    expect(all.edges.length).to.be.greaterThan(1_000);
    for (const bytes of [1, 100_000]) {
      const few = resolveWith(bytes, 0);
      expect(few.times).to.be.greaterThan(10);
      expect(few.said === all.said, `${bytes} bytes`).to.equal(true);
    }
  });

  it('say the same in whatever order they come', () => {
    const { named } = resolveWith(2 ** 30, 0);
    expect(named.filter((each) => each.includes('s/Store.java:Store'))).to.have.length.greaterThan(3);
    const { documents } = extracted;
    const shuffled = documents.toSorted((a, b) => digestOf(a.path) - digestOf(b.path));
    for (const order of [documents.toReversed(), shuffled])
      for (const bytes of [2 ** 30, 1]) expect(resolveWith(bytes, 0, order).named).to.deep.equal(named);
  });

  it('are held where letting go of them would only have them read again', () => {
    const patient = resolveWith(20_000, 0);
    const impatient = resolveWith(20_000, 50);
    expect(impatient.times)
      .to.be.greaterThan(0)
      .and.lessThan(patient.times / 2);
    expect(impatient.said === patient.said).to.equal(true);
  });

  it('can’t be asked for when nobody needs them any more', () => {
    const file = openTemporaryFile();
    const spool = openFactsSpool(file, 1, 0);
    const [document] = extracted.documents.slice(0, 1).map(({ path, facts }) => spool.add(path, facts, 1_000));
    expect(document?.facts.language).to.be.a('string');
    document?.release?.();
    file.close();
    expect(() => document?.facts).to.throw('closed');
  });
});

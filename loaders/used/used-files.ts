import { dirname, join } from 'node:path/posix';
import type { Document } from '../facts/document.ts';
import type { FileFacts } from '../facts/fact.ts';
import type { FileImport } from '../facts/file-import.ts';
import type { FileUse, RunByName } from '../facts/file-use.ts';
import type { InsecureCode } from '../facts/insecure-code.ts';
import type { Extractor } from '../extraction/extract.ts';
import { languageByLinguist, languageOf } from '../languages/index.ts';
import type { Language } from '../languages/language.ts';
import type { Manifests } from '../manifests/read-manifests.ts';
import type { Glance, Measures } from '../metrics/file-measures.ts';
import { countedFiles } from '../metrics/measure-all.ts';
import type { UsedFile } from '../metrics/metric.ts';
import { importsOf } from '../resolution/file-imports.ts';
import { isAside } from '../snapshot/is-aside.ts';
import { isPlaceAside, namesAside } from '../snapshot/names-aside.ts';
import { isOwnCode } from '../snapshot/select-files.ts';
import type { OpenSnapshot } from '../snapshot/snapshot.ts';
import { above, installedAmong, namedAmong } from './named-files.ts';
import { maxStartBytes, saysHowToStart, startedIn } from './started-files.ts';

/** So many files that nobody has read whole are read for what they use. */
const maxRead = 500;
const maxBytes = 1_000_000;
const maxAllBytes = 20_000_000;
/** What a parser can't make sense of in so large a part is no code of the language. */
const maxUnparsed = 0.1;
/** Data and markup by name: what imports it runs nothing in it. */
const isData =
  /\.(?:json5?|ya?ml|toml|css|s[ac]ss|less|styl|svg|html?|vue|svelte|astro|md|mdx|txt|graphql|gql|wasm|node|csv|xml|d\.[cm]?ts)$/i;

/** What is made from other files of the tree, which are read. */
const isBuilt = /(?:^|\/)(?:dist|build|out|lib|umd|cjs|esm)\//;
const maxLinks = 100;
const maxStarts = 200;
/** What builds, tests or starts by hand names tests, and is no part of the program. */
const isTool =
  /(?:^|\/)(?:[\w.-]{1,60}\.config\.[cm]?[jt]s|\.[\w-]{1,60}rc\.[cm]?js|(?:Grunt|gulp|Rake|Jake|Cake)file(?:\.\w{1,9})?|karma[\w.-]{0,30}|(?:setup|conf|conftest|noxfile|tasks|fabfile|dodo)\.py|(?:scripts?|tools?|build|tasks|\.github)\/.{1,200})$/i;

/** Names of files that a manifest of npm gives to who asks for the package. */
function givenBy(manifest: string): string[] {
  try {
    const { main, bin } = JSON.parse(manifest) as Record<string, unknown>;
    const bins = typeof bin === 'object' && bin !== null ? Object.values(bin) : [bin];
    return [main, ...bins].filter((name) => typeof name === 'string');
  } catch {
    return [];
  }
}

/** Where a file is used: the line of another one that imports it, or has it run. */
interface Step {
  to: string;
  by: string;
  line: number;
  /** It is named as text to what runs it. */
  run: RunByName | null;
}

/**
 * Files that are no production code by where they lie, or are not read at all, and that production uses all the same: it imports them
 * or has them run by name, or what it uses so does. What is insecure there is as much in the program as what lies beside it.
 */
export async function usedFiles(
  opened: OpenSnapshot,
  known: {
    documents: readonly Document[];
    imports: readonly FileImport[];
    uses: ReadonlyMap<string, FileUse>;
    measures: Measures;
    glances: ReadonlyMap<string, Glance>;
    manifests: Manifests;
  },
): Promise<ReadonlyMap<string, UsedFile>> {
  const { files } = countedFiles(opened, known.measures);
  const production = new Set(files.flatMap(({ path, test }) => (test || isAside(path) ? [] : [path])));
  const search = new Search(opened, known, production);
  try {
    return await search.from([...production].sort());
  } finally {
    search.close();
  }
}

type Known = Parameters<typeof usedFiles>[1];

/** What one file says of those that it uses, and of itself where its name tells no language. */
interface AsideRead {
  facts: FileFacts;
  use: FileUse | null;
  code: number;
  insecure: readonly InsecureCode[];
}

/** Of files that were read before: the same ones are in the next snapshot of a repository. */
const readBefore = new Map<string, AsideRead | null>();
const maxBefore = 2_000;
/** Without one of these a file runs none that it names. */
const runner =
  /\b(?:eval|exec\w*|Function|runIn\w+|_compile|import_module|__import__|run_path|run_module|load_\w+|spec_from_file_location|SourceFileLoader|importScripts|fork|Worker|include\w*|loadstring|dofile|loadfile|instance_eval|class_eval|sys\.path)\b|\b(?:require|import)\s?\(\s?[^'"\s]/;

function readAside(
  extractor: Extractor,
  language: Language,
  content: Uint8Array,
  path: string,
  isUnknown: boolean,
): AsideRead | null {
  if (!isUnknown && !runner.test(Buffer.from(content).toString()))
    return { facts: extractor.imports(language, content, path), use: null, code: 0, insecure: [] };
  const { facts, use = null, measures, insecure = [] } = extractor.measure(language, content, path, language.linguist);
  const unparsed = facts.unparsed.reduce((sum, [first, last]) => sum + last - first + 1, 0);
  return isUnknown && unparsed > maxUnparsed * facts.lines ? null : { facts, use, code: measures.code, insecure };
}

class Search {
  readonly #opened: OpenSnapshot;
  readonly #known: Known;
  readonly #production: ReadonlySet<string>;
  readonly #imports: Map<string, FileImport[]>;
  readonly #uses: Map<string, FileUse>;
  readonly #parsed: ReadonlySet<string>;
  readonly #files: ReadonlyMap<string, { blobId: string; size: number; linguist: string | null; test: boolean }>;
  /** Of files that were not parsed. */
  readonly #languages = new Map<string, Language>();
  #named: ReturnType<typeof namedAmong> | null = null;
  #installed: ReadonlyMap<string, readonly string[]> | null = null;
  #extractors = new Map<string, Promise<Extractor>>();
  #left = { files: maxRead, bytes: maxAllBytes };

  constructor(opened: OpenSnapshot, known: Known, production: ReadonlySet<string>) {
    this.#opened = opened;
    this.#known = known;
    this.#production = production;
    this.#imports = Map.groupBy(known.imports, ({ path }) => path);
    this.#uses = new Map(known.uses);
    this.#parsed = new Set(known.documents.map(({ path }) => path));
    const unseen = opened.skipped.map(
      ({ path }) => [path, { blobId: '', size: Infinity, test: false, linguist: null }] as const,
    );
    this.#files = new Map([
      ...unseen,
      ...[...opened.files, ...opened.aside, ...opened.unread].map(
        ({ path, blobId, size, test, countedAs }) =>
          [path, { blobId, size, test, linguist: countedAs.language }] as const,
      ),
    ]);
  }

  async from(paths: readonly string[]): Promise<ReadonlyMap<string, UsedFile>> {
    const reached = new Map<string, Step>();
    const used = new Map<string, UsedFile>();
    this.#addFolders(paths);
    this.#addInstalled(this.#ofProduction());
    const first = [
      ...this.#stepsFrom(paths),
      ...this.#given(),
      ...(await this.#started()),
      ...(await this.#loaded()),
      ...(await this.#linked()),
    ];
    for (let next = first; next.length > 0;) {
      const fresh: Step[] = [];
      for (const step of next) {
        if (reached.has(step.to)) continue;
        reached.set(step.to, step);
        fresh.push(step);
      }
      for (const found of await this.#read(fresh)) used.set(found.path, found);
      next = this.#stepsFrom(fresh.map(({ to }) => to));
    }
    return used;
  }

  close(): void {
    for (const extractor of this.#extractors.values()) extractor.then((each) => each.close()).catch(() => undefined);
  }

  #stepsFrom(paths: readonly string[]): Step[] {
    return paths
      .flatMap((by) => [...this.#imported(by), ...this.#run(by)])
      .filter(({ to }) => this.#files.has(to) && !this.#production.has(to));
  }

  /** What lies elsewhere, and by links beside production as if it were there. */
  async #linked(): Promise<Step[]> {
    const steps: Step[] = [];
    for await (const { path: by, target: written } of this.#opened.links(maxLinks)) {
      if (written.startsWith('/')) continue;
      const target = join(dirname(by), written).replace(/\/$/, '');
      const inside = [...this.#files.keys()].filter((path) => path === target || path.startsWith(`${target}/`));
      for (const to of inside)
        if (isOwnCode(by + to.slice(target.length)) && !this.#production.has(to))
          steps.push({ to, by, line: 1, run: null });
    }
    return steps;
  }

  /** What is named where it is said how the program is started. */
  async #started(): Promise<Step[]> {
    const said = [...this.#files.keys()]
      .filter((path) => saysHowToStart(path) && isOwnCode(join(dirname(path), 'start.js')))
      .filter((path) => (this.#files.get(path)?.size ?? 0) <= maxStartBytes)
      .slice(0, maxStarts);
    const steps: Step[] = [];
    for await (const { path: by, content } of this.#opened.read(said))
      for (const { names, line } of startedIn(by, Buffer.from(content ?? []).toString()))
        for (const to of this.#namedBy(by, { kind: 'file', names, line })) steps.push({ to, by, line, run: null });
    return steps;
  }

  /** What is named where modules are loaded by any name: in the file that does so, in one that imports it, and in data that one of them names. */
  async #loaded(): Promise<Step[]> {
    const loaders = new Set(
      [...this.#production].filter((path) => this.#uses.get(path)?.loadsAny && !isTool.test(path)),
    );
    if (loaders.size === 0) return [];
    const asking = [...this.#production]
      .filter((path) => this.#uses.get(path)?.names !== undefined && !isTool.test(path))
      .filter(
        (path) => loaders.has(path) || this.#imports.get(path)?.some(({ to }) => to.some((each) => loaders.has(each))),
      )
      .sort();
    const steps: Step[] = [];
    const add = (by: string, names: readonly string[]) => {
      for (const name of names)
        for (const to of this.#namedBy(by, { kind: 'file', names: [plainName(name)], line: 1 }))
          if (!isData.test(to)) steps.push({ to, by, line: 1, run: null });
    };
    // A package whose modules it goes through.
    for (const document of this.#known.documents) {
      if (!loaders.has(document.path)) continue;
      add(
        document.path,
        document.facts.imports.map(({ module }) => `${module.replaceAll('.', '/')}/`).filter(isPlaceAside),
      );
      document.release?.();
    }
    const data = new Set<string>();
    for (const by of asking) {
      const names = this.#uses.get(by)?.names ?? [];
      add(by, names);
      for (const name of names.filter((each) => isData.test(each)))
        for (const folder of above(by)) if (this.#files.has(join(folder, name))) data.add(join(folder, name));
    }
    const small = [...data].filter((path) => (this.#files.get(path)?.size ?? 0) <= maxStartBytes).slice(0, maxStarts);
    for await (const { path, content } of this.#opened.read(small))
      add(path, namesAside(Buffer.from(content ?? []).toString()));
    return steps;
  }

  #namedBy(by: string, run: RunByName): readonly string[] {
    this.#named ??= namedAmong(
      [...this.#files.keys()].filter((path) => !this.#production.has(path)),
      this.#production,
    );
    return this.#named(by, run);
  }

  /** What a package's manifest says is its program, but what it builds. */
  #given(): Step[] {
    const { paths, text } = this.#known.manifests;
    return paths.flatMap((by) => {
      // Of an example, and of what others wrote, too, it starts no part of the program.
      if (!/(?:^|\/)package\.json$/.test(by) || !isOwnCode(by.replace(/json$/, 'js'))) return [];
      return givenBy(text(by) ?? '')
        .map((name) => join(dirname(by), name))
        .flatMap((name) => ['', '.js', '/index.js'].map((ending) => name + ending))
        .filter((to) => this.#files.has(to) && !this.#production.has(to) && !isBuilt.test(to))
        .map((to) => ({ to, by, line: 1, run: null }));
    });
  }

  /** What production answers leads nowhere else; of a folder that is a package the tests are no part. */
  #imported(by: string): Step[] {
    return (this.#imports.get(by) ?? []).flatMap(({ line, to, typeOnly }) => {
      if (typeOnly || to.some((path) => this.#production.has(path))) return [];
      const others = to.length > 1 ? to.filter((path) => !this.#files.get(path)?.test) : [];
      return (others.length > 0 ? others : to).map((path) => ({ to: path, by, line, run: null }));
    });
  }

  #run(by: string): Step[] {
    return (this.#uses.get(by)?.runs ?? []).flatMap((run) => {
      return run.kind === 'folder' ? [] : this.#namedBy(by, run).map((to) => ({ to, by, line: run.line, run }));
    });
  }

  /** Modules that are looked for in further folders, which a file names: of all files, as it is the program that looks there. */
  #addFolders(paths: readonly string[]): void {
    const folders = new Set<string>();
    for (const path of paths)
      for (const { kind, names } of this.#uses.get(path)?.runs ?? [])
        if (kind === 'folder')
          for (const name of names)
            for (const around of above(path)) folders.add(around === '.' ? name : `${around}/${name}`);
    const there = [...folders]
      .map((folder) => folder.replaceAll(/(?:^|\/)\.(?=\/|$)/g, '').replace(/^\/|\/$/g, ''))
      .filter((folder) => folder !== '')
      .slice(0, maxRead);
    if (there.length === 0) return;
    const files = this.#files;
    this.#addImports(this.#ofProduction(), (module) => {
      const name = module.replaceAll('.', '/');
      const to = there
        .flatMap((folder) => [`${folder}/${name}.py`, `${folder}/${name}/__init__.py`, `${folder}/${module}.js`])
        .find((each) => files.has(each));
      return to === undefined ? undefined : [to];
    });
  }

  /** Packages of others that lie in the tree where their package manager puts them, and are asked for by their names. */
  #addInstalled(documents: readonly Document[]): void {
    this.#installed ??= installedAmong(this.#files.keys());
    const installed = this.#installed;
    if (installed.size === 0) return;
    this.#addImports(documents, (module, path) =>
      above(path)
        .flatMap((folder) => ['vendor', 'node_modules'].map((name) => (folder === '.' ? name : `${folder}/${name}`)))
        .map((folder) => installed.get(`${folder}/${module}`))
        .find((each) => each !== undefined),
    );
  }

  #ofProduction(): Document[] {
    return this.#known.documents.filter(({ path }) => this.#production.has(path));
  }

  /** What imports lead to of which nothing was known. */
  #addImports(
    documents: readonly Document[],
    find: (module: string, path: string) => readonly string[] | undefined,
  ): void {
    for (const document of documents) {
      const { path } = document;
      const before = this.#imports.get(path) ?? [];
      const known = new Set(before.map(({ line }) => line));
      const found: FileImport[] = [];
      for (const { module, line, typeOnly } of document.facts.imports) {
        if (module.startsWith('.') || known.has(line)) continue;
        const to = find(module, path);
        if (to) found.push({ path, line, to, typeOnly });
      }
      if (found.length > 0) this.#imports.set(path, [...before, ...found]);
      document.release?.();
    }
  }

  /** What was reached, with what is insecure there; what nobody has parsed is, for what it uses. */
  async #read(steps: readonly Step[]): Promise<UsedFile[]> {
    const { measures, glances } = this.#known;
    const found: UsedFile[] = [];
    const unread: Step[] = [];
    for (const step of steps) {
      const { to: path, by, line } = step;
      const its = measures.get(path);
      const glance = glances.get(path);
      if (its) found.push({ path, by: { path: by, line }, lines: its.code, insecure: null });
      else if (glance) found.push({ path, by: { path: by, line }, lines: glance.code, insecure: null });
      if (!this.#parsed.has(path) && !(its && languageOf(path) === null) && this.#mayRead(step)) unread.push(step);
    }
    const documents: Document[] = [];
    const byPath = new Map(unread.map((step) => [step.to, step]));
    for await (const { path, content } of this.#opened.read([...byPath.keys()])) {
      const step = byPath.get(path);
      if (!step || !content) continue;
      if (step.run?.hides !== undefined && isEncoded(content)) found.push(hidden(step, step.run.hides));
      const read = await this.#parse(step, content);
      if (!read) continue;
      documents.push({ path, facts: read.facts });
      if (read.use) this.#uses.set(path, read.use);
      if (measures.has(path) || glances.has(path)) continue;
      // What has nothing insecure in it may be anything.
      const { insecure, code } = read;
      if (insecure.length > 0) found.push({ path, by: { path: step.by, line: step.line }, lines: code, insecure });
    }
    if (documents.length > 0) {
      const { paths, text } = this.#known.manifests;
      for (const each of importsOf(documents, { paths, read: text }).inside)
        this.#imports.set(each.path, [...(this.#imports.get(each.path) ?? []), each]);
      this.#addInstalled(documents);
    }
    return found;
  }

  #mayRead({ to, run }: Step): boolean {
    const told = this.#files.get(to)?.size ?? 0;
    // Of what is binary by its name nobody has looked how large it is; encoded code may be called so.
    const size = run?.hides !== undefined && told === Infinity ? maxBytes : told;
    if (size > maxBytes || this.#left.files <= 0 || this.#left.bytes < size) return false;
    if (run ? /\.json$/i.test(to) : isData.test(to)) return false;
    this.#left.files--;
    this.#left.bytes -= size;
    return true;
  }

  /** In its own language, else in that of who runs it. */
  async #parse(step: Step, content: Uint8Array): Promise<AsideRead | null> {
    const { linguist = null, blobId = '' } = this.#files.get(step.to) ?? {};
    const own = languageOf(step.to) ?? languageByLinguist(linguist);
    const language = own ?? this.#languageOf(step.by);
    if (!language || content.includes(0)) return null;
    this.#languages.set(step.to, language);
    const key = `${blobId} ${language.id} ${own === null} ${step.to}`;
    const before = blobId === '' ? undefined : readBefore.get(key);
    if (before !== undefined) return before;
    let read: AsideRead | null = null;
    try {
      read = readAside(await this.#extractorOf(language.id), language, content, step.to, own === null);
    } catch {
      // What the parser can't read uses nothing that anybody knows of; next time it may.
      return null;
    }
    if (readBefore.size >= maxBefore) readBefore.clear();
    if (blobId !== '') readBefore.set(key, read);
    return read;
  }

  #languageOf(path: string): Language | null {
    const linguist = this.#files.get(path)?.linguist ?? null;
    return this.#languages.get(path) ?? languageOf(path) ?? languageByLinguist(linguist);
  }

  #extractorOf(id: string): Promise<Extractor> {
    const opening =
      this.#extractors.get(id) ??
      import('../extraction/extract.ts').then(({ createExtractor }) => createExtractor({ languages: [id] }));
    this.#extractors.set(id, opening);
    return opening;
  }
}

/** Without the steps up from where it is written, as it is looked for further up anyway; of a pattern the folder: `tests/*.js`. */
function plainName(name: string): string {
  const plain = name.replace(/^(?:\.\.?\/)+/, '');
  const star = plain.indexOf('*');
  return star === -1 ? plain : plain.slice(0, plain.lastIndexOf('/', star) + 1);
}

/** Less is a word. */
const minEncoded = 200;

/** Whether it is all of the letters that encoded bytes are written with. */
function isEncoded(content: Uint8Array): boolean {
  const words = Buffer.from(content).toString('latin1').trim().split(/\s/);
  const length = words.reduce((sum, word) => sum + word.length, 0);
  // Bytes are written in lines of 40 letters or more.
  const isWritten = words.length <= 1 + length / 40 && words.every((word) => /^[\w+/=-]+$/.test(word));
  return length >= minEncoded && isWritten && words.some((word) => /\d/.test(word));
}

/** Code that nobody sees, as it is decoded before it is run. */
const hidden = ({ to, by, line }: Step, rule: string): UsedFile => ({
  path: to,
  by: { path: by, line },
  lines: 0,
  insecure: [{ rule, line: 1, severity: 'high' }],
});

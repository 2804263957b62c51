import { threadId } from 'node:worker_threads';
import { detect } from '../detectors/detect.ts';
import { isSchema } from '../detectors/index.ts';
import { languageById, languageByLinguist } from '../languages/index.ts';
import type { InsecureCode } from '../facts/insecure-code.ts';
import { glanceAt, measureFile } from '../metrics/file-measures.ts';
import type { FileMeasures } from '../metrics/file-measures.ts';
import { secretsIn } from '../metrics/security/secrets-in.ts';
import { inspect } from '../snapshot/inspect.ts';
import { codeOf } from '../snapshot/language-of-content.ts';
import { createExtractor } from './extract.ts';
import { joinLineHashes } from '../metrics/line-hashes.ts';
import { codeInHeredocs, type CodeInText } from './code-in-texts.ts';
import { startParser } from './read-tree.ts';
import { millisecondsOf } from './time-limit.ts';
import type { Extractor } from './extract.ts';
import type { Language } from '../languages/language.ts';
import type { ExtractionBatch, ExtractionReply, ExtractionRequest, FileRead, Said, Wanted } from './pool.ts';
import { rewriting, type Rewriting } from './hear-all.ts';

// Before the first file comes; who waits for it hears what went wrong.
startParser().catch(() => undefined);

/** A grammar takes tens of milliseconds to load: only those of languages that come. */
const extractors = new Map<string, Promise<Extractor>>();

/** Reads one batch: what a thread of the pool is asked for. */
export default async function readAll({ files, contents, said, begun }: ExtractionBatch): Promise<ExtractionReply[]> {
  begun.set([threadId, millisecondsOf(process.threadCpuUsage())]);
  hear(said);
  const replies: ExtractionReply[] = [];
  let at = 0;
  for (const { length, ...file } of files) {
    replies.push(await readOne({ ...file, content: contents.subarray(at, at + length) }));
    at += length;
  }
  return replies;
}

/** What was heard last, and what rewrites sources by it. */
let heard: { digest: string; by: Rewriting } | null = null;
/** Words of the file at hand that were looked up in it. */
let asked = new Set<string>();

function hear(said: Said | null): void {
  if (!said || said.digest === heard?.digest) return;
  heard = { digest: said.digest, by: rewriting(said) };
}

function preprocess(language: Language, source: string): string {
  return heard?.by.rewrite(language, source, (word) => asked.add(word)) ?? source;
}

/** Why a file that is source by its name is left out as binary; others need no reason. */
const holdsNul = 'it is source by its name, and holds NUL';

async function readOne(file: ExtractionRequest): Promise<ExtractionReply> {
  const { path, content, leftOut } = file;
  asked = new Set();
  try {
    const reason = inspect(path, content);
    if (reason || leftOut) {
      const read = file.wanted === 'graph' ? null : await glance(file);
      const skipped = reason === 'binary' ? { path, reason, detail: holdsNul } : reason && { path, reason };
      return { read: read && bytesOf(read), skipped: leftOut ? null : skipped };
    }
    const { graph = null, ...read } = await readFile(file);
    return {
      read: bytesOf(read),
      skipped: null,
      ...(graph && { graph: bytesOf(graph) }),
      ...(asked.size > 0 && { asked: [...asked].join(' ') }),
    };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    const reason = error instanceof Error && error.name === 'ParseTimeout' ? 'timeout' : 'parse_error';
    return { read: null, skipped: { path, reason, detail } };
  }
}

/** With what the graph needs of it, where that is wanted and can be made. */
async function readFile(file: ExtractionRequest): Promise<FileRead & { graph?: FileRead | null }> {
  if (file.language !== null) return parseOne(file.language, file);
  const readAs = async (wanted: Wanted) => {
    const asked = { ...file, wanted };
    return (await measureAlike(asked)) ?? readOther(decoder.decode(file.content), asked);
  };
  const read = await readAs(file.wanted);
  return file.withGraph ? { ...read, graph: await readAs('graph') } : read;
}

/** Into source that is left out; null of what is no text. */
async function glance({
  path,
  language: id,
  linguist,
  content,
  byContent,
}: ExtractionRequest): Promise<FileRead | null> {
  if (linguist === null) return null;
  const source = textOf(content);
  if (source === null) return null;
  const insecure = id === null || source.length > maxGlance ? [] : await insecureIn(languageOrThrow(id), source, path);
  return {
    facts: null,
    measures: null,
    glance: glanceAt({ source, code: byContent ? codeOf(content, path)?.code : source, path, linguist, insecure }),
  };
}

async function insecureIn(language: Language, source: string, path: string): Promise<InsecureCode[]> {
  const extractor = await extractorOf(language.id);
  const found = extractor.look(language, source);
  for (const text of extractor.texts(language, source)) found.push(...((await readText(text, path))?.insecure ?? []));
  return found;
}

/** What is larger is not parsed for a glance. */
const maxGlance = 1_000_000;
/** Of text that a byte or two were put into; a program has many more. */
const maxControlShare = 0.01;

/** The text for a reader who minds no stray bytes; null where they are many. */
function textOf(content: Uint8Array): string | null {
  const source = decoder.decode(content);
  let odd = 0;
  for (let at = 0; at < source.length; at += 1) {
    const code = source.charCodeAt(at);
    if (code === 0xfffd || (code < 32 && code !== 9 && code !== 10 && code !== 13 && code !== 12)) odd += 1;
  }
  // The parser takes NUL for the end.
  return odd > source.length * maxControlShare + 2 ? null : source.replaceAll('\0', ' ');
}

/** A file in a language that has no extractor, or in none: a schema. */
async function readOther(source: string, { path, linguist, wanted }: ExtractionRequest): Promise<FileRead> {
  const isOnlySchema = linguist === null && isSchema(path);
  const detections = detect({ source, path, linguist, facts: null });
  const isMeasured = !isOnlySchema && wanted !== 'graph';
  const measures = isMeasured ? measureFile({ source, path, linguist, tree: null }) : null;
  const read: FileRead = { facts: null, measures, ...(detections.length > 0 ? { detections } : {}) };
  for (const text of measures ? codeInHeredocs(source, linguist) : []) await addText(read, text, path);
  return read;
}

/** A file that reads like code of a language under another name is measured as such, and is no part of the graph. */
async function measureAlike(file: ExtractionRequest): Promise<FileRead | null> {
  const id = file.byContent ? languageByLinguist(file.linguist)?.id : undefined;
  if (id === undefined) return null;
  if (file.wanted === 'graph') return { facts: null, measures: null };
  // Of code in data the lines are its own.
  const code = codeOf(file.content, file.path)?.code;
  const content = code === undefined ? file.content : Buffer.from(code);
  const { measures, insecure, use } = await parseOne(id, { ...file, content, wanted: 'measures', withGraph: false });
  // Secrets stand beside the code as well.
  const secrets = secretsIn(decoder.decode(file.content), file.path);
  return {
    facts: null,
    measures: measures && { ...measures, secrets },
    ...(insecure && { insecure }),
    ...(use && { use }),
  };
}

async function parseOne(
  languageId: string,
  {
    path,
    linguist,
    content,
    wanted,
    withGraph = false,
  }: Pick<ExtractionRequest, 'path' | 'linguist' | 'content' | 'wanted' | 'withGraph'>,
): Promise<FileRead & { graph?: FileRead | null }> {
  const extractor = await extractorOf(languageId);
  const language = languageOrThrow(languageId);
  if (wanted === 'graph') return extractor.forGraph(language, content, path, linguist);
  const whole =
    wanted === 'measures'
      ? extractor.measure(language, content, path, linguist, !withGraph)
      : { ...extractor.read(language, content, path, linguist), graph: null };
  const { texts, graph, ...read } = whole;
  const written = codeInHeredocs(decoder.decode(content), linguist).filter(
    ({ line }) => !texts.some((text) => text.line <= line && line <= text.endLine),
  );
  for (const text of [...texts, ...written]) await addText(read, text, path);
  return withGraph && graph ? { ...read, graph: whatIsMade(graph) } : read;
}

/** Null where it fails: who asks for it alone is told why. */
function whatIsMade<T>(make: () => T): T | null {
  try {
    return make();
  } catch {
    return null;
  }
}

/** What stands in a file as text and is run, or written by it, is measured with it. */
async function addText(read: FileRead, text: CodeInText, path: string): Promise<void> {
  const inside = await readText(text, path);
  const { measures } = read;
  if (inside === null || !measures) return;
  if (inside.measures.functions) measures.functions = [...(measures.functions ?? []), ...inside.measures.functions];
  if (inside.insecure.length > 0) read.insecure = [...(read.insecure ?? []), ...inside.insecure];
  // What stands on fewer lines than it has is as much code as it is.
  if (!text.isComment && inside.measures.code <= 2 * (text.endLine - text.line + 1)) return;
  measures.code += inside.measures.code;
  measures.lineHashes = joinLineHashes(measures.lineHashes, inside.measures.lineHashes);
}

/** On the lines of the file where it stands; null of a language that is not read. */
async function readText(
  text: CodeInText,
  path: string,
): Promise<{ measures: FileMeasures; insecure: InsecureCode[] } | null> {
  const language = languageByLinguist(text.language);
  if (!language) return null;
  const extractor = await extractorOf(language.id);
  const { measures, insecure = [] } = extractor.measure(language, Buffer.from(text.code), path, text.language);
  const lineOf = (line: number) => Math.min(text.line - 1 + line, text.endLine);
  const functions = measures.functions?.map((each) => ({
    ...each,
    line: lineOf(each.line),
    endLine: lineOf(each.endLine),
  }));
  return {
    measures: { ...measures, functions: functions ?? null },
    insecure: insecure.map(({ rule, severity, line }) => ({ rule, severity, line: lineOf(line) })),
  };
}

function languageOrThrow(id: string): Language {
  const language = languageById(id);
  if (!language) throw new Error(`There is no language ${id}.`);
  return language;
}

function extractorOf(id: string): Promise<Extractor> {
  const opening = extractors.get(id) ?? createExtractor({ languages: [id], preprocess });
  extractors.set(id, opening);
  return opening;
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();
const bytesOf = (read: FileRead) => encoder.encode(JSON.stringify(read));

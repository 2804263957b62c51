import { extname } from 'node:path/posix';
import { leftOutSchema, type Skipped } from '../../src/model/snapshot.ts';
import { isAside } from './is-aside.ts';
import type { Attributes } from './git-attributes.ts';
import type { Likeness } from './language-of-content.ts';
import { isWrittenIn, languageNamed, languageOf } from './language-of.ts';
import { anyOf } from './linguist/any-of.ts';
import { binaryExtensions } from './linguist/binary.ts';
import { documentation } from './linguist/documentation.ts';
import { generatedPaths } from './linguist/generated.ts';
import { tests } from './linguist/tests.ts';
import { vendored } from './linguist/vendored.ts';
import { oncePerPath } from './once-per-path.ts';
import type { AsideFile, SourceFile, UnreadFile } from './snapshot.ts';
import type { TreeEntry } from './tree-entry.ts';

/** What the choice depends on, beside the paths. */
export interface SelectionRules {
  attributes: (path: string) => Attributes;
  /** Of files whose name does not tell their language. */
  firstLine: (path: string) => string | undefined;
  /** The language that a file's content is code of, where its name says none; undefined where it is none. */
  looksLike: (path: string) => Likeness | undefined;
  maxFileBytes: number;
}

const isTest = anyOf(tests);
const isDocumentation = anyOf(documentation);
const isVendoredPath = anyOf(vendored);
const isGeneratedPath = anyOf(generatedPaths);
/** Anywhere in the tree, where linguist has them at its top only; `com/example/` is a package's name. */
const examples = /(^|\/)(examples|samples|demos|benches|benchmarks)\//i;
const minifiedName = /[.-]min\.([cm]?js|css)$/i;
const buildOutput = /(^|\/)dist\//;
const installed = /(^|\/)site-packages\//;
const configuration = /(^|\/)(\.[^/]+|[^/]*\.config\.[cm]?[jt]s|(gulp|grunt)file\.js)$/i;

/** Whether a file is code that a repository's people wrote for production, as far as its path tells, also one of the past. */
export const isOwnCode = oncePerPath(
  (path) =>
    languageOf(path) !== null &&
    !isAside(path) &&
    ![isTest, isDocumentation, isVendoredPath, isGeneratedPath].some((is) => is(path)) &&
    ![examples, minifiedName, buildOutput, installed].some((pattern) => pattern.test(path)),
);

/** Parts a tree into the files worth reading and those left out, each with its reason, and of these what may be text; all by path. */
export function selectFiles(entries: readonly TreeEntry[], rules: SelectionRules) {
  const files: SourceFile[] = [];
  const skipped: Skipped[] = [];
  const output: SourceFile[] = [];
  const aside: AsideFile[] = [];
  const unread: UnreadFile[] = [];
  const environments = virtualEnvironments(entries);
  for (const entry of entries) {
    const { path, blobId, size } = entry;
    const attributes = rules.attributes(path);
    const left = leftOut(entry, attributes, environments, rules);
    if (left) skipped.push({ path, ...left });
    const reason = leftOutSchema.safeParse(left?.reason).data;
    const isTooLarge = size > rules.maxFileBytes;
    const isUnread = isTooLarge || left?.reason === 'not_utf8';
    if (left && (entry.kind !== 'file' || (reason === undefined && !isUnread))) continue;
    const declared = language(path, attributes, rules.firstLine(path));
    const isDocumented = asBoolean(attributes.get('linguist-documentation'));
    const file: SourceFile = {
      path,
      blobId,
      size,
      language: declared,
      test: isTest(path),
      documentation: isDocumented ?? isDocumentation(path),
      countedAs: counted(
        path,
        declared,
        isDocumented !== false && (isDocumentation(path) || examples.test(path)),
        rules,
      ),
    };
    if (isUnread) {
      unread.push({ ...file, reason: isTooLarge ? 'too_large' : 'not_utf8' });
      continue;
    }
    if (reason !== undefined) {
      const isDeclared = attributes.has('linguist-vendored') || attributes.has('linguist-generated');
      aside.push({ ...file, reason, by: isDeclared ? 'gitattributes' : 'path' });
      continue;
    }
    const isOutput = attributes.get('linguist-vendored') === undefined && buildOutput.test(path);
    (isOutput ? output : files).push(file);
  }
  // A published package often holds nothing but `dist/`; beside sources it is what was built from them.
  const hasSources = files.some((file) => file.language !== null && !file.test && !configuration.test(file.path));
  if (!hasSources) files.push(...output);
  else
    for (const file of output) {
      skipped.push({ path: file.path, reason: 'vendored', detail: 'build output' });
      aside.push({ ...file, reason: 'vendored', by: 'path' });
    }
  return { files: files.sort(byPath), skipped: skipped.sort(byPath), aside: aside.sort(byPath), unread };
}

function leftOut(
  entry: TreeEntry,
  attributes: Attributes,
  environments: ReadonlySet<string>,
  { maxFileBytes, looksLike }: SelectionRules,
): Omit<Skipped, 'path'> | null {
  const { path, kind, size } = entry;
  const detail = entry.detail === undefined ? {} : { detail: entry.detail };
  if (kind === 'vendored_folder') return { reason: 'vendored', ...detail };
  if (kind !== 'file') return { reason: kind, ...detail };
  if (!entry.nameIsUtf8) return { reason: 'not_utf8', detail: 'its name is not UTF-8' };
  if (binaryExtensions.has(extname(path).toLowerCase()) && looksLike(path) === undefined) return { reason: 'binary' };
  const isVendored = asBoolean(attributes.get('linguist-vendored'));
  const isGenerated = asBoolean(attributes.get('linguist-generated'));
  if (isVendored ?? (isVendoredPath(path) && !minifiedName.test(path))) return { reason: 'vendored' };
  if (isVendored === undefined && isInside(path, environments))
    return { reason: 'vendored', detail: 'virtual environment' };
  if (isGenerated ?? isGeneratedPath(path)) return { reason: 'generated' };
  if (minifiedName.test(path) && isVendored === undefined && isGenerated === undefined) return { reason: 'minified' };
  if (size > maxFileBytes) return { reason: 'too_large', detail: `${size} bytes` };
  return null;
}

function language(path: string, attributes: Attributes, firstLine: string | undefined): string | null {
  if (asBoolean(attributes.get('linguist-detectable')) === false) return null;
  const named = attributes.get('linguist-language');
  return (typeof named === 'string' ? languageNamed(named) : undefined) ?? languageOf(path, firstLine);
}

/** Code is code under any name; that in prose is told beside it, and what tests and documentation hold else is samples. */
function counted(
  path: string,
  declared: string | null,
  aside: boolean,
  { firstLine, looksLike }: SelectionRules,
): SourceFile['countedAs'] {
  const language = countedLanguage(path, declared, firstLine(path));
  const alike = language === null && !isTest(path) ? looksLike(path) : undefined;
  return alike === undefined || (isDocumentation(path) && !alike.isQuoted)
    ? { language, aside }
    : { language: alike.language, aside: aside || alike.isQuoted, byContent: true };
}

/** A language that is named for a file of another one's ending is not believed. */
function countedLanguage(path: string, declared: string | null, firstLine: string | undefined): string | null {
  const own = languageOf(path, firstLine);
  return declared !== null && (own === null || isWrittenIn(path, declared)) ? declared : own;
}

function asBoolean(value: boolean | string | undefined): boolean | undefined {
  return value === undefined ? undefined : value !== false;
}

/** Folders with a `pyvenv.cfg`: Python's environments, whatever they are called. */
function virtualEnvironments(entries: readonly TreeEntry[]): Set<string> {
  const marker = '/pyvenv.cfg';
  return new Set(entries.filter(({ path }) => path.endsWith(marker)).map(({ path }) => path.slice(0, -marker.length)));
}

function isInside(path: string, folders: ReadonlySet<string>): boolean {
  if (folders.size === 0) return false;
  for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1))
    if (folders.has(path.slice(0, end))) return true;
  return false;
}

const byPath = (a: { path: string }, b: { path: string }) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { analyze } from '../../loaders/analyze.ts';
import { textsIn } from '../../loaders/records/body-words.ts';
import { searchDocuments } from '../../loaders/records/search-documents.ts';
import type { IndexedDocument, SearchDocument } from '../../src/model/search-document.ts';
import { textTokens } from '../../src/search/ranking/tokens.ts';
import { headingsIn } from './headings.ts';

/** A public history at GitHub as far as one commit. */
export interface History {
  repository: `${string}/${string}`;
  head: string;
}

/**
 * Numbers are tuned on the first half and reported of the second. The packages of queries.ts are in the first, as they were tuned on;
 * of the others the first five by the SHA-256 of `drawn OWNER/NAME`. The fresh ones were in no set, and measured once, when all was tuned.
 * Those apart are the first ten by the SHA-256 of `held out OWNER/NAME` of 97 histories with 1,000 commits and 20 to 900 source files, which
 * were in no other set and no forks of those: for what is learned from many histories, and looked at more than once.
 */
export const halves: Record<'tuned' | 'reported' | 'fresh' | 'apart', readonly History[]> = {
  tuned: [
    { repository: 'koajs/koa', head: 'e0ba8ef39d27fe5dae5492f9fe753d155124f994' },
    { repository: 'pallets/flask', head: '2ac89889f4cc330eabd50f295dcef02828522c69' },
    { repository: 'spf13/cobra', head: 'adbc8813901bba65827259daa8e22ff94ec1f30e' },
    { repository: 'google/gson', head: '9835b6f90192f79cdf5300c528fc6212455fb6c1' },
    { repository: 'bottlepy/bottle', head: '2a743a302a71460bfe4c0b8b7cb99a306b0328c6' },
    { repository: 'sharkdp/hexyl', head: '8eb6d4771ce1ec7af65d06bd335457783b77d557' },
    { repository: 'fastify/fastify', head: '83e69762aff047940b376fc2a266d143499ef727' },
    { repository: 'BurntSushi/xsv', head: 'f4304660231d7907798e831411871d2679d335c3' },
    { repository: 'sinatra/sinatra', head: 'cb22afd7902b566b6eaba6c4ea89739494a65d12' },
  ],
  reported: [
    { repository: 'gorilla/mux', head: 'db9d1d0073d27a0a2d9a8c1bc52aa0af4374d265' },
    { repository: 'guzzle/guzzle', head: '2779e868a00289e1b1fd854af030c43a06f4bcb4' },
    { repository: 'square/moshi', head: '889013ec2edb8d8034902662a1dc8c4f3b3f8111' },
    { repository: 'axios/axios', head: '23a25af0688d1db2c396deb09229d2271cc24f6c' },
    { repository: 'gin-gonic/gin', head: 'dcaa4296d111981ffb31ac3eba90bb63e1eb5ab9' },
    { repository: 'psf/requests', head: '1f6589ec3a1ee910f9a65cc3ceac60b26677bc0e' },
    { repository: 'sirupsen/logrus', head: '87434bb3a736e2a27d34df66924471714f408d3d' },
    { repository: 'encode/httpx', head: 'ae1b9f66238f75ced3ced5e4485408435de10768' },
    { repository: 'expressjs/express', head: 'a3714473feb3d2908add734d340e7755fd85e0a3' },
  ],
  fresh: [
    { repository: 'marshmallow-code/marshmallow', head: '341b927f219205704728c05cd61f04d7e9727523' },
    { repository: 'tj/commander.js', head: 'ba6d13ddb4243e5913367734f8c159089ffe7834' },
    { repository: 'greenrobot/EventBus', head: '0194926b3bcf70cc0d7bfd3c5da16708dd5ab876' },
  ],
  apart: [
    { repository: 'asottile/pyupgrade', head: '1915f5dfa65063de58d3df821312e9a582ef5cea' },
    { repository: 'Textualize/rich', head: '42899d8a0a96b121a514516f4be9db44ff7aeaf3' },
    { repository: 'pac4j/play-pac4j', head: 'ee2e1e7ec2e053470def8d11ff0c4ef02fb3dd08' },
    { repository: 'reduxjs/redux-toolkit', head: '74200d87c27ca2b1c0915b2fbb4c44dd7494c2aa' },
    { repository: 'opal/opal', head: 'aa27f642c27fc902bb857c111c66b170b3bfa82f' },
    { repository: 'dgilland/pydash', head: '3585eb29018ea1535e7df4e10b33df68bbffcf9e' },
    { repository: 'sinonjs/sinon', head: 'cf5d9e8de1a5307ed7b329b6306ee86982453db7' },
    { repository: 'andrew/split', head: '172220c8b53ff36d5d20cee4c988eb22a56242ee' },
    { repository: 'marijnh/CodeMirror', head: 'd27055249bb051900f4c59489c45e81a2b0e8c46' },
    { repository: 'catchorg/Catch2', head: 'a6ee7e20cd4011129816df7992c1a9db2ef4b58f' },
  ],
};

/**
 * Subjects are drawn of so many commits, the newest that are no merge (of half of them, where there are fewer); the parent of the
 * oldest is what is loaded.
 */
const maxCommits = 300;
const DRAWN = 20;
/** A change of more files has no one place. */
const MAX_FILES = 5;
const minWords = 3;
/** Orders what is drawn from. */
const SEED = 'drawn';

/** A text that somebody wrote for another purpose, and what it is about: files, or one symbol. */
export interface DrawnQuery {
  text: string;
  repository: string;
  isWanted: (document: SearchDocument) => boolean;
}

/** What is loaded of a history, and what is asked then. */
export interface Drawn {
  name: string;
  documents: IndexedDocument[];
  /** Subjects of commits, for the files that they changed. */
  subjects: DrawnQuery[];
  /** First sentences of documentation, which is taken out of the documents, for the symbol. */
  sentences: DrawnQuery[];
  /** Sentences that commits added to prose (a changelog, a README), for the files that they changed with it. */
  intents: DrawnQuery[];
  /** Titles of pull requests, for the files that they changed. */
  titles: DrawnQuery[];
  /** Headings of guides that do not say the name, for what the examples below them call. */
  headings: DrawnQuery[];
  /** Some words of first sentences of documentation that stays in the documents, for what has that sentence. */
  remembered: DrawnQuery[];
  /** Names of functions and classes of production, as they are. */
  names: DrawnQuery[];
}

/** Draws from a history in `clone`; its files are put into `folder`. */
export async function draw({ repository, head }: History, clone: string, folder: string): Promise<Drawn> {
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', clone, ...args], { encoding: 'utf8', maxBuffer: 2 ** 28 });
  const name = repository.slice(repository.indexOf('/') + 1);
  const all = Number(git('rev-list', '--no-merges', '--count', head));
  const newest = Math.min(maxCommits, Math.floor(all / 2));
  const commits = changesIn(
    git('log', '--no-merges', `--max-count=${newest}`, '--format=%x00%H%n%s', '--name-status', '--no-renames', head),
  );
  const base = `${commits.at(-1)?.hash}^`;
  mkdirSync(folder, { recursive: true });
  const source = join(folder, name);
  git('clone', '--quiet', '--no-checkout', '--no-tags', clone, source);
  execFileSync('git', ['-C', source, 'checkout', '--quiet', '--detach', base]);

  const { snapshot } = await analyze(source, { name, keepSource: true });
  const { nodes, edges, declared = [], commits: history } = snapshot;
  const standing = { usage: 0, health: null };
  const documents = [...searchDocuments(snapshot.repository, nodes, edges, declared, standing)];
  const withSymbols = new Set(documents.filter(({ type }) => isSymbol(type)).map(({ path }) => path));
  const subjects = commits
    .filter(({ subject, files }) => subject.split(' ').length >= minWords && files.length <= MAX_FILES)
    .map(({ hash, subject, files }) => ({ hash, subject, wanted: files.filter((file) => withSymbols.has(file)) }))
    .filter(({ wanted }) => wanted.length > 0);
  const added = sentencesAdded(
    git(
      'log',
      '--no-merges',
      `--max-count=${newest}`,
      '--format=%x00%H',
      '--patch',
      '--unified=0',
      '--no-renames',
      head,
      '--',
      ...PROSE,
    ),
  );
  const production = new Set(documents.filter(({ type, test }) => isSymbol(type) && !test).map(({ path }) => path));
  const intents = commits
    .map(({ hash, files }) => ({
      hash,
      isSmall: files.length <= MAX_FILES,
      text: added.get(hash),
      wanted: files.filter((file) => production.has(file)),
    }))
    .flatMap(({ text, ...each }) =>
      text === undefined || !each.isSmall || each.wanted.length === 0 ? [] : [{ ...each, text }],
    );
  const inFiles = ({ text, wanted }: { text: string; wanted: readonly string[] }): DrawnQuery => ({
    text,
    repository: name,
    isWanted: (hit) => hit.repository === name && hit.path !== null && wanted.includes(hit.path),
  });
  const sentences = documents
    .filter(({ type, test }) => isSymbol(type) && !test)
    .map((document) => ({ document, sentence: firstSentence(document) }))
    .filter(({ sentence }) => sentence.split(' ').length >= minWords);
  const asked = drawnOf(sentences, ({ document }) => document.id);
  const told = new Map(asked.map(({ document }) => [document.id, document]));
  // What is found as one item is told as one.
  const silent = new Set(
    asked.flatMap(({ document: { id, overloads } }) => [id, ...(overloads?.places.map((each) => each.id) ?? [])]),
  );
  const untold = [...nodes].map((node) => (silent.has(node.id) ? { ...node, doc: null } : node));
  const texts = [...textsIn(snapshot.source ?? [])].map(({ path, text }) => ({
    path,
    text: without(
      [...told.values()].flatMap((each) => (each.path === path ? [each.doc ?? ''] : [])),
      text,
    ),
  }));
  const titles = pullRequests(git, `${base}..${head}`)
    .map(({ hash, title, files }) => ({ hash, text: title, wanted: files.filter((file) => withSymbols.has(file)) }))
    .filter(({ wanted }) => wanted.length > 0);
  const remembered = sentences
    .filter(({ document }) => !told.has(document.id))
    .map(({ document, sentence }) => ({ document, sentence, text: rememberedOf(document, sentence) }))
    .filter(({ text }) => text.split(' ').length > minWords);
  const guides = git('ls-tree', '-r', '--name-only', base)
    .split('\n')
    .filter((path) => /\.(md|markdown|rst)$/i.test(path));
  const headings = headingsIn(guides.map((path) => ({ path, text: readFileSync(join(source, path), 'utf8') })))
    .filter(({ text }) => text.split(' ').length >= minWords)
    .map(({ called, ...each }) => ({ ...each, wanted: calledIn(documents, called, each.text) }))
    .filter(({ wanted }) => wanted.size > 0);
  return {
    name,
    documents: [...searchDocuments(snapshot.repository, untold, edges, declared, standing, () => texts, history)],
    subjects: drawnOf(subjects, ({ hash }) => hash).map(({ subject, wanted }) => inFiles({ text: subject, wanted })),
    intents: drawnOf(intents, ({ hash }) => hash).map(inFiles),
    titles: drawnOf(titles, ({ hash }) => hash).map(inFiles),
    headings: drawnOf(headings, ({ place }) => place).map(({ text, wanted }) => ({
      text,
      repository: name,
      isWanted: (hit) => wanted.has(hit.id),
    })),
    remembered: drawnOf(remembered, ({ document }) => document.id).map(({ sentence, text }) => ({
      text,
      repository: name,
      // What has the same sentence is as good.
      isWanted: (hit) => hit.repository === name && isSymbol(hit.type) && firstSentence(hit) === sentence,
    })),
    names: drawnOf(
      documents.filter(({ type, test }) => isSymbol(type) && !test),
      ({ id }) => `name ${id}`,
    ).map((document) => ({
      text: document.name,
      repository: name,
      isWanted: (hit) => hit.repository === name && isSymbol(hit.type) && hit.name === document.name,
    })),
    sentences: asked.map(({ document: { id }, sentence }) => ({
      text: sentence,
      repository: name,
      isWanted: (hit) => hit.id === id,
    })),
  };
}

/** A name that more things have is no one's. */
const maxNamed = 3;

/** The functions and classes of production that are called so, without those of which the heading says the name. */
function calledIn(documents: readonly SearchDocument[], called: ReadonlySet<string>, heading: string): Set<string> {
  const said = ` ${textTokens(heading).join(' ')} `;
  const named = Map.groupBy(
    documents.filter(({ type, name, test }) => isSymbol(type) && !test && called.has(name)),
    ({ name }) => name,
  );
  return new Set(
    [...named].flatMap(([name, each]) =>
      each.length > maxNamed || said.includes(` ${textTokens(name).join(' ')} `) ? [] : each.map(({ id }) => id),
    ),
  );
}

/** A text in which the lines of these documentations are empty. */
function without(docs: readonly string[], text: string): string {
  const told = docs.map((doc) => doc.replaceAll(/\s+/g, ' '));
  const isTold = (line: string) => {
    const said = line
      .replace(/^[\s/#*"';!]+/, '')
      .replace(/["'*/\s]+$/, '')
      .replaceAll(/\s+/g, ' ');
    return said.length > 3 && told.some((doc) => doc.includes(said));
  };
  return told.length === 0
    ? text
    : text
        .split('\n')
        .map((line) => (isTold(line) ? '' : line))
        .join('\n');
}

/** What people write for people. */
const PROSE = ['*.md', '*.rst', '*.txt', '*.adoc', '*CHANGE*', '*HISTORY*', '*NEWS*', '*README*'];
/** A sentence, not a heading, a line of code or a part of a paragraph. */
const SENTENCE = /^\p{Lu}[^<>{}=;$|]*[.!]$/u;
const minWordsOfSentence = 5;

/** Of `git log --patch`, by commit: the first sentence that stands in one added line, without its marks. */
function sentencesAdded(log: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const commit of log.split('\0').slice(1)) {
    const [hash = '', ...lines] = commit.split('\n');
    const sentence = lines
      .filter((line) => line.startsWith('+') && !line.startsWith('+++'))
      .map((line) =>
        line
          .slice(1)
          .replace(/^[\s>*+-]+/u, '')
          .replaceAll(/\[([^\]]*)\]\([^)]*\)/gu, '$1')
          .replaceAll(/:\w+:`([^`]*)`/gu, '$1')
          .replaceAll(/[`*]/gu, '')
          .trim(),
      )
      .find((line) => SENTENCE.test(line) && line.split(/\s+/u).length >= minWordsOfSentence);
    if (sentence !== undefined) found.set(hash, sentence);
  }
  return found;
}

/** The pull requests that were merged there as such, but for those that changed many files. */
function pullRequests(
  git: (...args: string[]) => string,
  range: string,
): { hash: string; title: string; files: string[] }[] {
  const merges = git('log', '--merges', '--format=%x00%H%n%B', range).split('\0').slice(1);
  return merges.flatMap((merge) => {
    const [hash = '', subject = '', ...body] = merge.split('\n');
    const title = body.find((line) => line.trim() !== '') ?? '';
    if (!subject.startsWith('Merge pull request #') || title.split(' ').length < minWords) return [];
    const changed = git('diff', '--name-only', '--diff-filter=M', '--no-renames', `${hash}^1`, hash);
    const files = changed.split('\n').filter((file) => file !== '');
    return files.length > MAX_FILES ? [] : [{ hash, title, files }];
  });
}

/** Of this sentence six words in ten, and none of which the name has a part. */
function rememberedOf({ id, name }: SearchDocument, sentence: string): string {
  const own = new Set(textTokens(name));
  return sentence
    .replaceAll(/[^\p{L}\p{N}'_-]+/gu, ' ')
    .trim()
    .split(' ')
    .filter((word) => !textTokens(word).some((token) => own.has(token)))
    .filter((_, i) => placeOf(`${id} ${i}`) < '99')
    .join(' ');
}

/** The commits of `git log`, each with the files that it modified. */
function changesIn(log: string): { hash: string; subject: string; files: string[] }[] {
  return log
    .split('\0')
    .slice(1)
    .map((commit) => {
      const [hash = '', subject = '', ...changes] = commit.split('\n').filter((line) => line !== '');
      return { hash, subject, files: changes.map((change) => change.slice(change.indexOf('\t') + 1)) };
    });
}

function isSymbol(type: SearchDocument['type']): boolean {
  return type === 'Function' || type === 'Class';
}

/** Of the documentation, without the symbol's own name. */
function firstSentence({ doc, name }: SearchDocument): string {
  const [sentence = ''] = (doc ?? '').split(/(?<=[.!?])\s/u);
  const own = textTokens(name).join(' ');
  return sentence
    .split(/\s+/u)
    .filter((word) => textTokens(word).join(' ') !== own)
    .join(' ');
}

function drawnOf<T>(from: readonly T[], keyOf: (each: T) => string): T[] {
  return from
    .map((each) => ({ each, at: placeOf(keyOf(each)) }))
    .sort((a, b) => (a.at < b.at ? -1 : 1))
    .slice(0, DRAWN)
    .map(({ each }) => each);
}

/** By which what is drawn is in order: a hexadecimal number as good as chance. */
function placeOf(key: string): string {
  return createHash('sha256').update(`${SEED} ${key}`).digest('hex');
}

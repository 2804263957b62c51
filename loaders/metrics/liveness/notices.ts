import type { Evidence } from '../../../src/model/due-diligence.ts';
import type { MetricInput } from '../metric.ts';

/** A notice stands at the top: lines with words that are looked at, and characters of each. */
const maxLines = 25;
const maxLineLength = 600;

const over = '(?:deprecated|unmaintained|archived|abandoned|discontinued|obsolete|retired|end-of-life)';
const thing =
  '(?:project|repository|repo|package|library|module|gem|crate|plugin|tool|extension|framework|app|application|component|code|fork|SDK|client)';
const adverbs = '(?:(?:now|officially|fully|currently|being|hereby|completely|also|since|formally|publicly) ){0,3}';
/** `This project is no longer maintained`, `The package has been deprecated in favour of …`. */
const ofItself = new RegExp(
  `\\b(?:this|the|our) (?:[\\w.@/-]{1,60} )?${thing} (?:is|are|was|has been|will be|has reached) ${adverbs}(?:${over}\\b|no longer (?:being |actively )?(?:maintained|supported|developed|updated)|not (?:being |actively )?maintained|unsupported)`,
  'i',
);
/** A heading or a line of its own that says no more: `# Deprecated!`, `**[ARCHIVED]**`, `UNMAINTAINED`. */
const alone = new RegExp(
  `^(?:this |the )?(?:project |repository |package |library )?(?:status )?(?:is )?${over}(?: (?:project|repository|package|library|module))?$`,
  'i',
);
/** A sentence that begins so: `Deprecated: use …`, `No longer maintained.`, `DEPRECATED - …`. */
const first = new RegExp(
  `^(?:${over}(?: ?[:!.,–—-]| in favou?r of | since | as of | please | due to | because )|no longer (?:being |actively )?maintained\\b)`,
  'i',
);
/** Badges that mean it: repostatus.org, unmaintained.tech, shields. */
const badge =
  /unmaintained\.tech|no-maintenance-intended|repostatus\.org\/badges\/(?:[\w.]{1,20}\/)?(?:abandoned|unsupported|inactive)|badge\/(?:status|maintenance|maintained|lifecycle|project[ _-]status)[-:_](?:deprecated|archived|abandoned|unmaintained|retired|no\b)/i;

interface Notice {
  path: string;
  line: number;
  text: string;
}

/** Where the repository says of itself that it is over: at the top of its README, or in a manifest. */
export function noticesOf({ paths, text }: Pick<MetricInput, 'paths' | 'text'>, name: string): Evidence[] {
  const found = paths.flatMap((path) => {
    const content = holdsNotices(path) ? text(path) : null;
    return content === null ? [] : [...noticesIn(path, content, name)];
  });
  return found.map(({ path, line, text: note }) => ({ path, line, commit: null, note: note.slice(0, 200) }));
}

/** Files of the root alone: what lies deeper speaks of a part. */
export function holdsNotices(path: string): boolean {
  return isReadme(path) || manifests.some(({ file }) => file.test(path));
}

const isReadme = (path: string) => /^readme(?:\.(?:md|markdown|rst|txt|adoc|asciidoc|rdoc|org))?$/i.test(path);

/** What a manifest has for it. A line each, as all of them are written by lines. */
const manifests: readonly { file: RegExp; line: RegExp }[] = [
  {
    file: /^package\.json$/,
    line: /^\s*"(?:deprecated"\s*:\s*(?:true|"[^"\s])|description"\s*:\s*"\W{0,5}(?:deprecated|unmaintained|abandoned)\b)/i,
  },
  { file: /^composer\.json$/, line: /^\s*"abandoned"\s*:\s*(?:true|"[^"\s])/ },
  {
    file: /^(?:pyproject\.toml|setup\.cfg|setup\.py)$/,
    line: /Development Status :: 7 - Inactive|^\s*description\s*=\s*["']\W{0,5}(?:deprecated|unmaintained|abandoned)\b/i,
  },
  {
    file: /^Cargo\.toml$/,
    line: /^\s*(?:maintenance\s*=\s*\{\s*)?status\s*=\s*"(?:deprecated|as-is)"|^\s*description\s*=\s*"\W{0,5}(?:deprecated|unmaintained|abandoned)\b/i,
  },
  { file: /^go\.mod$/, line: /^\/\/ Deprecated:/ },
  { file: /^pom\.xml$/, line: /^\s*<description>\W{0,5}(?:deprecated|unmaintained|abandoned)\b/i },
];

function* noticesIn(path: string, content: string, name: string): Generator<Notice> {
  if (isReadme(path)) return yield* inReadme(path, content, name);
  const lines = content.split('\n');
  for (const { file, line: pattern } of manifests) {
    if (!file.test(path)) continue;
    const index = lines.findIndex((line) => line.length <= maxLineLength && pattern.test(line));
    if (index >= 0) yield { path, line: index + 1, text: (lines[index] ?? '').trim() };
  }
}

function* inReadme(path: string, content: string, name: string): Generator<Notice> {
  let looked = 0;
  let fenced = false;
  for (const [index, raw] of content.split('\n').entries()) {
    const line = raw.slice(0, maxLineLength);
    if (/^\s*(?:```|~~~)/.test(line)) fenced = !fenced;
    const words = plainWords(line);
    if (fenced || (words === '' && !line.includes('http'))) continue;
    if (++looked > maxLines) return;
    if (says(words, name) || badge.test(line)) {
      yield { path, line: index + 1, text: words || line.trim() };
      return;
    }
  }
}

function says(words: string, name: string): boolean {
  return alone.test(bare(words)) || first.test(words) || ofItself.test(words) || ofName(words, name);
}

/** `Request is fully deprecated`, by the repository's own name. */
function ofName(words: string, name: string): boolean {
  const lower = spaced(words);
  const own = spaced(name.replace(/^.*\//, ''));
  const at = own.length < 3 ? -1 : lower.indexOf(own);
  if (at < 0 || /\w/.test(lower[at - 1] ?? ' ')) return false;
  return afterName.test(lower.slice(at + own.length));
}

const spaced = (text: string) => text.toLowerCase().replaceAll(/[-_. ]+/g, ' ');

const afterName = new RegExp(
  `^(?: ?js)? (?:is|are|has been|was) ${adverbs}(?:${over}(?=$| ?[,;:!)]| ?$| (?:due|because|please|in favou?r|and|since|as of|by|please))|no longer (?:being |actively )?(?:maintained|developed|updated))`,
);

/** Without what Markdown, reStructuredText and HTML add: the words alone. */
function plainWords(line: string): string {
  return line
    .replace(/<[^<>]*>/g, ' ')
    .replace(/!\[[^[\]]*\]\([^()]*\)/g, ' ')
    .replace(/\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/:[\w+-]{1,40}:/g, ' ')
    .replace(/[*_`#>|~=]|\p{Extended_Pictographic}|\u{FE0F}/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(
      /^(?:\[!?)?(?:note|notice|warning|important|caution|attention|update|status|project status|heads up|deprecation notice)\]?\s*[:!–—-]*\s+/i,
      '',
    );
}

const bare = (words: string) =>
  words
    .replace(/[^\w\s-]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

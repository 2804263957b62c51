import type { FileFacts } from '../facts/fact.ts';
import { classifyLines, COMMENT } from '../languages/reading/classify-lines.ts';
import { commentSyntax } from '../languages/reading/comment-syntax.ts';
import type { Detection, Detector, Found } from './detector.ts';
import { detectorsFor } from './index.ts';
import { maxFound, readPatterns } from './read-patterns.ts';

/** A file as detectors see it. */
export interface DetectedFile {
  source: string;
  path: string;
  linguist: string | null;
  /** Null where the language has no extractor. */
  facts: FileFacts | null;
}

const imports = /^[ \t]*(?:use|using|require|import|from|include)\b[ \t(]*["'<]?([\w\\.:/@-]+)/gm;

/** Endpoints and data models that one file declares, by every detector that it is for; pure, and nothing is parsed again. */
export function detect(file: DetectedFile): Detection[] {
  const { source, path, linguist, facts } = file;
  const fitting = detectorsFor(linguist, path);
  if (fitting.length === 0) return [];
  const modules = facts
    ? facts.imports.map(({ module }) => module)
    : [...source.matchAll(imports)].map(([, module = '']) => module);
  const used = fitting
    .map((detector) => ({
      detector,
      imported: detector.uses === undefined || modules.some((module) => detector.uses?.test(module)),
    }))
    .filter(({ detector, imported }) => (imported || detector.handedOn) && mayFind(detector, source));
  if (used.length === 0) return [];
  const text = withoutComments(source, linguist);
  const detections = used.flatMap(({ detector, imported }): Detection[] => {
    const found = detector.read
      ? readWhole(detector, file)
      : readPatterns(detector, text, path, facts?.definitions ?? []);
    return found.length === 0 ? [] : [{ detector: detector.id, imported, found }];
  });
  // Where the file says which framework it uses, others of the same form are none.
  const said = new Set(
    detections
      .filter(({ imported }) => imported)
      .flatMap(({ found }) => found.map(({ gives, line }) => `${gives} ${line}`)),
  );
  return detections
    .map((each) =>
      each.imported ? each : { ...each, found: each.found.filter(({ gives, line }) => !said.has(`${gives} ${line}`)) },
    )
    .filter(({ found }) => found.length > 0);
}

/** Told from the text as it is, comments too: those are looked for only where there is something. */
function mayFind({ hint, patterns }: Detector, source: string): boolean {
  return hint.test(source) && (patterns?.some(({ expression }) => source.search(expression) >= 0) ?? true);
}

/** A document that can't be parsed says nothing. */
function readWhole(detector: Detector, { source, path }: DetectedFile): Found[] {
  try {
    return [...(detector.read?.(source, path) ?? [])].slice(0, maxFound);
  } catch {
    return [];
  }
}

/** Comments as spaces, so that what they show is not found, and every character keeps its place. */
function withoutComments(source: string, linguist: string | null): string {
  const kinds = classifyLines(source, commentSyntax(linguist));
  if (!kinds.includes(COMMENT)) return source;
  return source
    .split('\n')
    .map((line, index) => (kinds[index] === COMMENT ? ' '.repeat(line.length) : line))
    .join('\n');
}

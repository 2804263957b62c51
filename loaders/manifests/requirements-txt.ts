import type { ManifestFormat } from './manifest.ts';
import { pythonRequirement } from './python-requirement.ts';

/** What is longer asks for no package. */
const maxLineLength = 2_000;

const work =
  /(?<![a-z])(?:dev|develop|development|tests?|testing|docs?|documentation|lint\w{0,10}|typing|types|typecheck\w{0,3}|style|ci|bench\w{0,10}|build)(?![a-z])/i;

/** By the words in the path of a list of packages: who uses the code needs none of them. */
export const isForWork = (path: string): boolean => work.test(path);

/** pip's requirements files, under the names that people give them. */
export const requirementsTxt: ManifestFormat = {
  matches: (path) => /(^|\/)([^/]*requirements[^/]*|requirements\/[^/]+)\.(txt|in)$/i.test(path),
  read(text, path) {
    const scope = isForWork(path) ? 'development' : 'runtime';
    const requires = text.split('\n').flatMap((written, index) => {
      if (written.length > maxLineLength) return [];
      const line = written
        .replace(/(^|\s)#.*$/, '')
        .replace(/\s--hash=\S*|\\\s*$/g, '')
        .trim();
      // `-e git+https://…#egg=name` names its package at the end; other options and bare URLs name none.
      const [, egg] = /^(?:-e\s+|--editable[= ])?\S+:\/\/\S*[#&]egg=([\w.-]+)/.exec(written.trim()) ?? [];
      return pythonRequirement(egg ?? line, scope, path, index + 1) ?? [];
    });
    return { publishes: [], requires, description: {} };
  },
};

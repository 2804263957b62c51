import type { ManifestFormat } from './manifest.ts';
import { pythonRequirement } from './python-requirement.ts';

/** What is longer asks for no package. */
const maxLineLength = 2_000;

/** pip's requirements files, under the names that people give them. */
export const requirementsTxt: ManifestFormat = {
  matches: (path) => /(^|\/)([^/]*requirements[^/]*|requirements\/[^/]+)\.(txt|in)$/i.test(path),
  read(text, path) {
    const scope = /dev|test|doc|lint|typing|style|ci\b|bench|build/i.test(path) ? 'development' : 'runtime';
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

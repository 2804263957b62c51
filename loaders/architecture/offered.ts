import { posix } from 'node:path';
import type { Document } from '../facts/document.ts';
import type { FileFacts } from '../facts/fact.ts';
import type { Manifests } from '../manifests/read-manifests.ts';
import { foldersUp } from '../metrics/folders-up.ts';

type Offered = (path: string, facts: Pick<FileFacts, 'language' | 'packageName'>) => boolean;

/**
 * Whether what a file exports can be used by whoever takes the package that the file is part of. A program's packages, internal ones and private
 * ones are used by nobody but the repository itself.
 */
export function offeredBy(
  documents: readonly Document[],
  { publishes, paths, text }: Pick<Manifests, 'publishes' | 'paths' | 'text'>,
): Offered {
  const all = new Set(paths);
  const nearest = (path: string, name: string) =>
    foldersUp(posix.dirname(path)).find((folder) => all.has(posix.join(folder, name)));
  const programs = goPrograms(documents, all);
  const offers: Record<string, Offered> = {
    go: (path, { packageName }) =>
      packageName !== 'main' && !/(?:^|\/)internal\//.test(path) && !programs.has(nearest(path, 'go.mod') ?? ''),
    rust: (path) => {
      const crate = nearest(path, 'Cargo.toml');
      if (crate === undefined) return false;
      const manifest = text(posix.join(crate, 'Cargo.toml')) ?? '';
      return (
        (all.has(posix.join(crate, 'src/lib.rs')) || /^\[lib\]/m.test(manifest)) &&
        !/^publish\s*=\s*false/m.test(manifest)
      );
    },
    javascript: (path) => {
      const folder = nearest(path, 'package.json');
      return folder !== undefined && !/"private"\s*:\s*true/.test(text(posix.join(folder, 'package.json')) ?? '');
    },
  };
  offers['typescript'] = (path, facts) => offers['javascript']?.(path, facts) ?? true;
  return (path, facts) => publishes.length > 0 && (offers[facts.language]?.(path, facts) ?? true);
}

/** Folders of the modules whose own package is a program: that is what they are there for. */
function goPrograms(documents: readonly Document[], paths: ReadonlySet<string>): Set<string> {
  const atRoot = documents.filter(
    ({ path }) => path.endsWith('.go') && paths.has(posix.join(posix.dirname(path), 'go.mod')),
  );
  return new Set(
    atRoot.flatMap((document) => {
      const { packageName, conditional } = document.facts;
      document.release?.();
      return packageName === 'main' && conditional !== true ? [posix.dirname(document.path)] : [];
    }),
  );
}

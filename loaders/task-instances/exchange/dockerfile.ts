import type { ProvenTask } from '../../../src/model/task-instance.ts';
import { quoted } from '../scoped-command.ts';
import { baseArchive } from './base-archive.ts';

/** Official images that have git and Python as well, by the tool that a setup was made with. */
const images: Readonly<Record<string, (version: string) => string>> = {
  node: (version) => `node:${version.split('.')[0]}`,
  python: (version) => `python:${minor(version)}`,
  go: (version) => `golang:${minor(version)}`,
  cargo: (version) => `rust:${minor(version)}`,
  rustc: (version) => `rust:${minor(version)}`,
  java: (version) => `maven:3-eclipse-temurin-${version.split('.')[0]}`,
};

const minor = (version: string) => version.split('.').slice(0, 2).join('.');

/** By language, which of the tools found counts. */
const toolOf: Readonly<Record<string, string>> = {
  JavaScript: 'node',
  TypeScript: 'node',
  Python: 'python',
  Go: 'go',
  Rust: 'cargo',
  Java: 'java',
  Kotlin: 'java',
};

/**
 * The image in which an instance is evaluated. Its sources, one commit and no history, are in the archive beside it, else fetched from
 * REPOSITORY. `packages` of Debian are installed as well.
 */
export function dockerfile(
  { repo, base_commit: base, language, environment, provenance }: ProvenTask,
  { isBesideBase, packages = [] }: { isBesideBase: boolean; packages?: readonly string[] },
): string {
  const tool = toolOf[language] ?? '';
  const version = environment.runtime[tool];
  const image =
    version === undefined ? 'buildpack-deps:bookworm' : (images[tool]?.(version) ?? 'buildpack-deps:bookworm');
  const isPublic = provenance.origin === 'public';
  return [
    `FROM ${image}`,
    `RUN apt-get update && apt-get install -y --no-install-recommends ${['git', 'python3', ...packages].join(' ')} && rm -rf /var/lib/apt/lists/*`,
    ...(isBesideBase
      ? ['WORKDIR /testbed', `ADD ${baseArchive} /testbed/`, 'RUN git config --system --add safe.directory /testbed']
      : [
          // Of a private repository nobody but who builds the image knows where it is.
          isPublic ? `ARG REPOSITORY=https://github.com/${repo}.git` : 'ARG REPOSITORY',
          'WORKDIR /testbed',
          `RUN git init -q . && git fetch -q --depth 1 "$REPOSITORY" ${base} && git checkout -q --detach FETCH_HEAD && rm .git/FETCH_HEAD`,
        ]),
    ...environment.setup_cmds.map((command) => `RUN bash -c ${quoted(command)}`),
    '',
  ].join('\n');
}

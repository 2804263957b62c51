import type { TaskInstance } from '../../../src/model/task-instance.ts';
import { quoted } from '../scoped-command.ts';

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

/** The image in which an instance is evaluated. Its sources are fetched from REPOSITORY, one commit and no history. */
export function dockerfile({ repo, base_commit: base, language, environment, provenance }: TaskInstance): string {
  const tool = toolOf[language] ?? '';
  const version = environment.runtime[tool];
  const image =
    version === undefined ? 'buildpack-deps:bookworm' : (images[tool]?.(version) ?? 'buildpack-deps:bookworm');
  const isPublic = provenance.origin === 'public';
  return [
    `FROM ${image}`,
    'RUN apt-get update && apt-get install -y --no-install-recommends git python3 && rm -rf /var/lib/apt/lists/*',
    // Of a private repository nobody but who builds the image knows where it is.
    isPublic ? `ARG REPOSITORY=https://github.com/${repo}.git` : 'ARG REPOSITORY',
    'WORKDIR /testbed',
    `RUN git init -q . && git fetch -q --depth 1 "$REPOSITORY" ${base} && git checkout -q --detach FETCH_HEAD && rm .git/FETCH_HEAD`,
    ...environment.setup_cmds.map((command) => `RUN bash -c ${quoted(command)}`),
    '',
  ].join('\n');
}

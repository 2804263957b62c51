import { pypiName } from '../../src/model/ecosystems/pypi.ts';
import type { Requirement } from '../../src/model/snapshot.ts';

/** Extras and groups whose packages are for working on the project, not for using it. */
const development =
  /^(all[-_])?(dev|develop|development|tests?|testing|docs?|documentation|lint|typing|types?|mypy|style|ci|build|release|benchmarks?|pre-commit|coverage|tox|nox)([-_.].*)?$/i;

/** What an extra's or group's requirements are for, by its name. */
export function scopeOfExtra(extra: string): Requirement['scope'] {
  return development.test(extra) ? 'development' : 'optional';
}

/** One requirement as PEP 508 writes it (`Django>=4.2; python_version > "3.8"`); null for what names no package. */
export function pythonRequirement(
  text: string,
  scope: Requirement['scope'],
  path: string,
  line: number | null,
): Requirement | null {
  if (text.length > 2_000) return null;
  const [specifier = '', marker = ''] = text.split(';', 2);
  const [written = '', name] = /^\s*([A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)/.exec(specifier) ?? [];
  const rest = specifier
    .slice(written.length)
    .replace(/^\s*\[[^\]]*\]/, '')
    .trimStart();
  if (name === undefined || !/^($|[<>=!~@(])/.test(rest) || /[\n\r]/.test(rest)) return null;
  const [, extra] = /\bextra\s*==\s*["']([^"']+)["']/.exec(marker) ?? [];
  const range = rest.startsWith('@')
    ? null
    : rest
        .replace(/^\(|\)$/g, '')
        .replace(/\s+/g, '')
        .trim();
  return {
    ecosystem: 'pypi',
    name: pypiName(name),
    range: range || null,
    scope: extra === undefined ? scope : scopeOfExtra(extra),
    path,
    line,
    imports: 0,
  };
}

/** Requirements of a list of such texts, each with the line where `lineOf` finds it. */
export function pythonRequirements(
  texts: readonly string[],
  scope: Requirement['scope'],
  path: string,
  lineOf: (text: string) => number | null,
): Requirement[] {
  return texts.flatMap((text) => pythonRequirement(text, scope, path, lineOf(text)) ?? []);
}

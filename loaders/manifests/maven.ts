import { XMLParser } from 'fast-xml-parser';
import type { Requirement } from '../../src/model/snapshot.ts';
import { described, lineIndex, table, words, type ManifestFormat } from './manifest.ts';

const scopes: Record<string, Requirement['scope']> = { test: 'development', provided: 'peer', system: 'peer' };
const repeated = /^project\.(dependencies|dependencyManagement\.dependencies|licenses)\.\w+$/;

/** Maven's pom.xml, its properties resolved as far as they are in the same file. */
export const maven: ManifestFormat = {
  matches: (path) => /(^|\/)(pom\.xml|[^/]+\.pom)$/.test(path),
  read(text, path) {
    // Entities stay as they are written: a file can define some that grow to gigabytes.
    const parser = new XMLParser({
      processEntities: false,
      parseTagValue: false,
      ignoreDeclaration: true,
      isArray: (_, at) => repeated.test(String(at)),
    });
    const project = table(table(parser.parse(text))['project']);
    const parent = table(project['parent']);
    const own = {
      groupId: words(project['groupId']) ?? words(parent['groupId']),
      artifactId: words(project['artifactId']),
      version: words(project['version']) ?? words(parent['version']),
    };
    const resolve = resolver(table(project['properties']), own, parent);
    const artifact = (group: unknown, id: unknown) => {
      const name = `${resolve(words(group)) ?? ''}:${resolve(words(id)) ?? ''}`;
      return /^[\w.-]+:[\w.-]+$/.test(name) ? name : null;
    };
    const managed = new Map(
      dependencies(table(project['dependencyManagement'])).map((each) => [
        artifact(each['groupId'], each['artifactId']),
        words(each['version']),
      ]),
    );
    // A managed version is no requirement: its line is not the one to show.
    let isManaged = false;
    const line = lineIndex(text, /<(\/?)dependencyManagement>|<artifactId>\s*([^<\s]+)\s*<\/artifactId>/g, (match) => {
      const [, closes, artifactId] = match;
      if (artifactId === undefined) isManaged = closes === '';
      return isManaged ? undefined : artifactId;
    });
    const requirement = (each: Record<string, unknown>, scope: Requirement['scope']): Requirement[] => {
      const name = artifact(each['groupId'], each['artifactId']);
      if (name === null) return [];
      const range = resolve(words(each['version']) ?? managed.get(name)) ?? null;
      return [
        { ecosystem: 'maven', name, range, scope, path, line: line(words(each['artifactId']) ?? ''), imports: 0 },
      ];
    };
    const name = artifact(own.groupId, own.artifactId);
    return {
      publishes: name === null ? [] : [{ ecosystem: 'maven', name }],
      requires: [
        ...requirement(parent, 'development'),
        ...dependencies(project).flatMap((each) =>
          requirement(
            each,
            each['optional'] === 'true' ? 'optional' : (scopes[words(each['scope']) ?? ''] ?? 'runtime'),
          ),
        ),
      ],
      description: described({
        description: words(project['description'])?.replace(/\s+/g, ' '),
        license: licenses(project),
        homepage: resolve(words(project['url'])),
      }),
    };
  },
};

function dependencies(parent: Record<string, unknown>): Record<string, unknown>[] {
  const list = table(parent['dependencies'])['dependency'];
  return Array.isArray(list) ? list.map(table) : [];
}

function licenses(project: Record<string, unknown>): string | undefined {
  const list = table(project['licenses'])['license'];
  return words((Array.isArray(list) ? list : []).flatMap((each) => words(table(each)['name']) ?? []).join(', '));
}

/** Replaces `${…}`; undefined where one is defined elsewhere. Bounded, as properties may name each other in circles. */
function resolver(
  properties: Record<string, unknown>,
  own: Record<string, string | undefined>,
  parent: Record<string, unknown>,
): (text: string | undefined) => string | undefined {
  const value = (key: string): string | undefined =>
    words(properties[key]) ??
    own[key.replace(/^(project|pom)\./, '')] ??
    (key.startsWith('project.parent.') ? words(parent[key.slice('project.parent.'.length)]) : undefined);
  return (text) => {
    let resolved = text;
    for (let round = 0; round < 8 && resolved?.includes('${') && resolved.length < 1_000; round += 1)
      resolved = resolved.replace(/\$\{([^{}]+)\}/g, (written, key: string) => value(key) ?? written);
    return resolved?.includes('${') ? undefined : resolved;
  };
}

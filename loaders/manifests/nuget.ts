import { XMLParser } from 'fast-xml-parser';
import type { Requirement } from '../../src/model/snapshot.ts';
import { described, lineIndex, table, words, type ManifestFormat } from './manifest.ts';

const id = /^[\w.-]{1,100}$/;
/** What several of may stand in a project. */
const repeated = /\.(?:PropertyGroup|ItemGroup|PackageReference|PackageVersion|package)$/;

/** .NET's project files, with what they publish, and the older packages.config. */
export const nuget: ManifestFormat = {
  matches: (path) => /(^|\/)([^/]+\.(cs|fs|vb)proj|packages\.config)$/.test(path),
  read(text, path) {
    // Entities stay as they are written: a file can define some that grow to gigabytes.
    const parser = new XMLParser({
      processEntities: false,
      ignoreAttributes: false,
      attributeNamePrefix: '',
      parseTagValue: false,
      isArray: (_, at) => repeated.test(String(at)),
    });
    const document = table(parser.parse(text));
    const project = table(document['Project']);
    const groups = (key: string) => list(project[key]).map(table);
    const property = (name: string) =>
      groups('PropertyGroup')
        .map((group) => words(group[name]))
        .find((value) => value !== undefined && !value.includes('$('));
    const line = lineIndex(text, /\b(?:Include|Update|id)\s*=\s*"([^"\n]{1,200})"/g);
    const references = [
      ...groups('ItemGroup').flatMap((group) => list(group['PackageReference']).map(table)),
      ...list(table(document['packages'])['package']).map(table),
    ];
    const isTest =
      property('IsTestProject') === 'true' || references.some((each) => named(each) === 'Microsoft.NET.Test.Sdk');
    const requires = references.flatMap((each): Requirement[] => {
      const name = named(each);
      if (name === undefined || !id.test(name)) return [];
      const version = words(each['Version']) ?? words(each['version']) ?? words(each['VersionOverride']);
      // What is private to the project is not handed on to those who use it.
      const isOwn =
        /\ball\b/i.test(words(each['PrivateAssets']) ?? '') || words(each['developmentDependency']) === 'true';
      const range = version?.includes('$(') ? null : (version ?? null);
      return [
        {
          ecosystem: 'nuget',
          name,
          range,
          scope: isTest || isOwn ? 'development' : 'runtime',
          path,
          line: line(name),
          imports: 0,
        },
      ];
    });
    // Bounded: a path.
    const file = /([^/]+)\.\w+proj$/.exec(path)?.[1];
    const name = property('PackageId') ?? property('AssemblyName') ?? file;
    const isPublished = !isTest && property('IsPackable') !== 'false' && property('OutputType') !== 'Exe';
    return {
      publishes: isPublished && name !== undefined && id.test(name) ? [{ ecosystem: 'nuget', name }] : [],
      requires,
      description: described({
        description: property('Description'),
        license: property('PackageLicenseExpression'),
        homepage: property('PackageProjectUrl') ?? property('RepositoryUrl'),
        topics: property('PackageTags')?.split(/[;,\s]+/),
      }),
    };
  },
};

function named(reference: Record<string, unknown>): string | undefined {
  return words(reference['Include']) ?? words(reference['id']);
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value];
}

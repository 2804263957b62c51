import type { z } from 'zod';
import type { edgeSchema, nodeSchema } from './wire.ts';

type Node = z.infer<typeof nodeSchema>;

/** What documentation shows: a repository, its contributor, and another that it depends on. */
export const exampleRepository: Node = {
  id: 'payments-api',
  type: 'Repository',
  name: 'payments-api',
  kind: null,
  language: 'TypeScript',
  doc: 'Takes payments.',
  repository: 'payments-api',
  qualified_name: null,
  path: null,
  line: null,
  properties: { branch: 'main', full_name: 'acme/payments-api' },
};

export const exampleContributor: Node = {
  ...exampleRepository,
  id: 'contributor:3f9a',
  type: 'Contributor',
  name: 'Anna Berg',
  kind: 'person',
  language: null,
  doc: null,
  repository: null,
  properties: {},
};

export const exampleDependency: Node = {
  ...exampleRepository,
  id: 'ledger',
  name: 'ledger',
  language: 'Go',
  doc: null,
  repository: 'ledger',
  properties: { full_name: 'acme/ledger' },
};

/** What a file of the repository defines. */
export const exampleDefinition: Node = {
  ...exampleRepository,
  id: 'payments-api/src/url.ts#parseUrl',
  type: 'Function',
  name: 'parseUrl',
  kind: 'function',
  doc: null,
  qualified_name: 'parseUrl',
  path: 'src/url.ts',
  line: 12,
  properties: {},
};

/** From the repository to what it depends on. */
export const exampleEdge: z.infer<typeof edgeSchema> = {
  type: 'DEPENDS_ON',
  from: 'payments-api',
  to: 'ledger',
  weight: 12,
  confidence: 1,
  strategy: 'manifest',
};

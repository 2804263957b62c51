import type { TestService } from './service.ts';

/** One operation of the service, as its document says it. */
export interface Operation {
  method: string;
  /** `/v1/things/{id}`. */
  path: string;
  id: string;
  access: 'public' | 'tenant' | { roles: string[] };
  /** Of which a restricted key needs one; null: every key may. */
  scopes: string[] | null;
  /** The schema of its JSON body; null when it takes none. */
  body: object | null;
  /** Names of the parameters of its query. */
  query: string[];
}

interface Document {
  paths: Record<string, Record<string, DocumentedOperation>>;
}

interface DocumentedOperation {
  operationId: string;
  security?: [];
  'x-required-roles'?: string[];
  'x-required-scopes'?: string[];
  parameters?: { name: string; in: string }[];
  requestBody?: { content: Record<string, { schema: NonNullable<Operation['body']> }> };
}

/** Every operation of the service: the document is made from the routes that it serves. */
export async function operationsOf(service: TestService): Promise<Operation[]> {
  const { paths } = (await service.send('/openapi.json')).json as unknown as Document;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const roles = operation['x-required-roles'];
      return {
        method: method.toUpperCase(),
        path,
        id: operation.operationId,
        access: operation.security ? ('public' as const) : roles ? { roles } : ('tenant' as const),
        scopes: operation['x-required-scopes'] ?? null,
        body: operation.requestBody?.content['application/json']?.schema ?? null,
        query: (operation.parameters ?? []).filter(({ in: place }) => place === 'query').map(({ name }) => name),
      };
    }),
  );
}

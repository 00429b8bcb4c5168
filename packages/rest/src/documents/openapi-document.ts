/** The OpenAPI document, made from the table of routes. */
import { DESCRIPTIONS, type OperationDescription, type ParameterName, PARAMETERS } from '../routes/descriptions.js';
import type { Access, Method, Route } from '../service.js';

/** @param version of the product */
export function openApiDocument(routes: readonly Route[], base: string, version: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const operations: Record<string, object> = {};
    for (const method of Object.keys(route.handlers) as Method[]) {
      operations[method.toLowerCase()] = operation(route, method);
    }
    paths[openApiPath(route.path)] = operations;
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Quadrille',
      version,
      description:
        'RDF repositories with their history. `/{account}/repositories/{repository}/…` and ' +
        '`/repositories/{account}/{repository}/…` are the same resources.',
    },
    servers: [{ url: base }],
    paths,
    components: {
      parameters: Object.fromEntries(
        Object.entries(PARAMETERS).map(([name, description]) => [name, queryParameter(name, description)]),
      ),
      schemas: { Error: ERROR },
      responses: {
        Error: { description: 'What went wrong', content: { 'application/json': { schema: schemaRef('Error') } } },
      },
      securitySchemes: { token: { type: 'http', scheme: 'basic' }, bearer: { type: 'http', scheme: 'bearer' } },
    },
  };
}

const ERROR = {
  type: 'object',
  required: ['error', 'code', 'status', 'requestId'],
  properties: {
    error: { type: 'string' },
    code: { type: 'string' },
    status: { type: 'integer' },
    requestId: { type: 'string', format: 'uuid' },
  },
};

/** The path of a route without patterns of parameters: `:name{.+}` becomes `:name`. */
export const describedPath = (path: string): string => path.replace(/\{[^}]*\}/g, '');

const openApiPath = (path: string): string => describedPath(path).replace(/:(\w+)/g, '{$1}');

function operation({ path, access }: Route, method: Method): object {
  const described = DESCRIPTIONS[describedPath(path)]?.[method] ?? { summary: `${method} ${path}` };
  const names = [...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '');
  return {
    summary: described.summary,
    parameters: [...names.map(pathParameter), ...(described.parameters ?? []).map(parameterRef)],
    ...(described.takes === undefined ? {} : { requestBody: { content: contentOf(described.takes) } }),
    responses: { [statusOf(described)]: success(described), default: { $ref: '#/components/responses/Error' } },
    ...security(access[method]),
  };
}

const statusOf = ({ status, gives }: OperationDescription): string =>
  String(status ?? (gives === undefined ? 204 : 200));

const success = ({ gives }: OperationDescription): object =>
  gives === undefined ? { description: 'Done' } : { description: 'The answer', content: contentOf(gives) };

/** Public operations need no credentials. Reads may need none, if the repository is public. */
function security(access: Access | undefined): object {
  if (access === 'public' || access === undefined) return {};
  const schemes: object[] = [{ token: [] }, { bearer: [] }];
  return { security: access === 'read' ? [{}, ...schemes] : schemes };
}

const contentOf = (types: readonly string[]): object => Object.fromEntries(types.map((type) => [type, {}]));
const pathParameter = (name: string): object => ({ name, in: 'path', required: true, schema: { type: 'string' } });
const queryParameter = (name: string, description: string): object => ({
  name,
  in: 'query',
  description,
  schema: { type: 'string' },
});
const parameterRef = (name: ParameterName): object => ({ $ref: `#/components/parameters/${name}` });
const schemaRef = (name: string): object => ({ $ref: `#/components/schemas/${name}` });

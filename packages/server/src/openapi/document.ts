/** The OpenAPI document, made from the records of resources. */
import { RESERVED_NAMES } from '../host/index.js';
import { contentTakenBy } from './bodies.js';
import {
  ALIASES,
  type DescribedName,
  isDescribed,
  PARAMETERS,
  PARAMETER_SCHEMAS,
} from '../parameters/known-parameters.js';
import { RECORDS } from './records.js';
import { FAILURES, responsesOf } from './responses.js';
import type { Access, Method, MethodRecord, Route } from '../service.js';

type Described = Pick<Route, 'path' | 'methods' | 'once'>;

export interface DescribedServer {
  readonly base: string;
  /** Of the product. */
  readonly version: string;
  /** Whether RPC is served beside the routes. */
  readonly rpc: boolean;
}

export function openApiDocument(resources: readonly Described[], { base, version, rpc }: DescribedServer): object {
  const paths: Record<string, Record<string, object>> = rpc ? rpcPaths() : {};
  for (const resource of resources) {
    const operations: Record<string, object> = {};
    for (const [method, record] of Object.entries(resource.methods) as [Method, MethodRecord][]) {
      operations[method.toLowerCase()] = operation(resource, method, record);
    }
    paths[openApiPath(resource.path)] = operations;
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
      parameters: Object.fromEntries([
        ...Object.entries(PARAMETERS).map(([name, description]) => [name, queryParameter(name, description)]),
        ['Idempotency-Key', IDEMPOTENCY_KEY],
      ]) as object,
      schemas: RECORDS,
      responses: FAILURES,
      securitySchemes: { token: { type: 'http', scheme: 'basic' }, bearer: { type: 'http', scheme: 'bearer' } },
    },
  };
}

/** RPC, which another listener serves. */
const rpcPaths = (): Record<string, Record<string, object>> => ({
  '/rpc': { post: rpcOperation('postRpc') },
  '/rpc/2012-06-01': { post: rpcOperation('postRpc20120601') },
});

function rpcOperation(operationId: string): object {
  const types = ['application/json', 'text/xml', 'application/xml'];
  return {
    operationId,
    summary: 'Call methods by JSON-RPC 2.0, also in batches, or one by XML-RPC',
    requestBody: { required: true, content: contentOf(types) },
    responses: {
      200: { description: 'The results, or the errors of the calls', content: contentOf(types) },
      default: { description: 'The call cannot be read, or the credentials are wrong', content: contentOf(types) },
    },
    security: [{}, { token: [] }, { bearer: [] }],
  };
}

/** The path of a route without patterns of parameters: `:name{.+}` becomes `:name`. */
export const describedPath = (path: string): string => path.replace(/\{[^}]*\}/g, '');

const REPOSITORY_PATH = '/:account/:repository';
const openApiPath = (path: string): string => describedPath(path).replace(/:(\w+)/g, '{$1}');

function operation({ path, once }: Described, method: Method, described: MethodRecord): object {
  const names = [...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '');
  const { summary, access, takes, bodyless, needs = [] } = described;
  return {
    operationId: operationId(path, method),
    summary,
    parameters: [
      ...names.map(pathParameter),
      ...(isOnBranch(path, method, described) ? [parameterRef('branch')] : []),
      ...described.names
        .filter(isTold)
        .map((name) =>
          needs.includes(name) ? { ...queryParameter(name, PARAMETERS[name]), required: true } : parameterRef(name),
        ),
      ...(method !== 'GET' && once?.(method, COMMITTING) === true ? [parameterRef('Idempotency-Key')] : []),
    ],
    ...(takes === undefined
      ? {}
      : { requestBody: { required: bodyless !== true, content: contentTakenBy(described, takes) } }),
    responses: responsesOf(described, { method, access, names }),
    ...security(access),
  };
}

/** Whether a parameter is told, and not only taken from clients of other servers. Of two names the first is told. */
const isTold = (name: string, at: number, names: readonly string[]): name is DescribedName =>
  isDescribed(name) && names.indexOf(name) === at && !names.includes(ALIASES[name] ?? '');

/** The whole repository is deleted, and no branch of it. */
const isOnBranch = (path: string, method: Method, { allBranches }: MethodRecord): boolean =>
  path.includes('/:repository') && allBranches !== true && (method !== 'DELETE' || path !== REPOSITORY_PATH);

/** The method and the words of the path: `getRepositoryStatements`. Paths differ in their words, so it is unique. */
function operationId(path: string, method: Method): string {
  const words = describedPath(path)
    .replace('/:account/:repository', '/repository')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '');
  return method.toLowerCase() + words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
}

/** Public operations need no credentials. Reads may need none, if the repository is public. */
function security(access: Access): object {
  if (access === 'public') return {};
  const schemes: object[] = [{ token: [] }, { bearer: [] }];
  return { security: access === 'read' ? [{}, ...schemes] : schemes };
}

const contentOf = (types: readonly string[]): object => Object.fromEntries(types.map((type) => [type, {}]));
/** No path of accounts and repositories is one of the server, and the other way round: names leave its words out. */
const NAME_PATTERN = `^(?!(?:${[...RESERVED_NAMES].join('|')})$)[a-z0-9_][a-z0-9_-]{0,99}$`;
const NAMES: ReadonlySet<string> = new Set(['account', 'repository', 'collaborator']);

const pathParameter = (name: string): object => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'string', ...(NAMES.has(name) && { pattern: NAME_PATTERN }) },
});
const queryParameter = (name: string, description: string): object => ({
  name,
  in: 'query',
  description,
  schema: PARAMETER_SCHEMAS[name as DescribedName] ?? { type: 'string' },
});
/** The parameters of a request that makes a commit, on a path with several kinds of requests. */
const COMMITTING = new URLSearchParams({ action: 'COMMIT' });
const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'The commit is made once: a repeat with the same key gets the first answer, with `Idempotency-Replayed: true`',
  schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
};
const parameterRef = (name: DescribedName | 'Idempotency-Key'): object => ({ $ref: `#/components/parameters/${name}` });

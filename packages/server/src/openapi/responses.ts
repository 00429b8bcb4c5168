/** The answers of an operation: those of success, and the statuses with which it may fail. */
import type { Access, Method } from '../service.js';
import type { OperationDescription, Shape } from './operation.js';

const JSON_TYPE = 'application/json';

const MEANINGS = {
  308: 'The repository has moved to another server; Location is its address there',
  400: 'A parameter, a header or the body is not valid',
  401: 'Credentials are needed, or are not valid',
  403: 'The caller may not do this',
  404: 'There is no such resource, or the caller may not read it',
  406: 'No type of Accept is available',
  408: 'The body came too slowly',
  409: 'Another change came first, or the change does not fit',
  410: 'The revision was trimmed, or the repository has moved to another store',
  412: 'If-Match or If-None-Match does not hold',
  413: 'The body, or what it becomes, is too long',
  415: 'The body has a type or a coding that is not readable',
  421: 'The server is asked for by a foreign name',
  422: 'The record, or a part of the body, is not possible',
  428: 'The server wants If-Match',
  429: 'Too many requests; Retry-After tells when to come again',
  500: 'A fault of the server',
  501: 'Not implemented',
  502: 'Another host has failed',
  503: 'The server has no time or place for this now, or takes no requests',
  504: 'Another host took too long',
  507: 'The memory of a query, or the disk, is full',
} as const;
type Failure = keyof typeof MEANINGS;

const nameOf = (status: Failure): string => `Error${String(status)}`;

/** The components that operations refer to. */
export const FAILURES: Readonly<Record<string, object>> = Object.fromEntries(
  (Object.keys(MEANINGS).map(Number) as Failure[]).map((status) => [
    nameOf(status),
    {
      description: MEANINGS[status],
      ...headersOf(status),
      content: {
        [JSON_TYPE]: { schema: { $ref: '#/components/schemas/Error' } },
        'text/plain': { schema: { type: 'string' } },
      },
    },
  ]),
);

function headersOf(status: Failure): object {
  if (status === 308) return { headers: { Location: { schema: { type: 'string', format: 'uri' } } } };
  if (status === 401) return { headers: { 'WWW-Authenticate': { schema: { type: 'string' } } } };
  return status === 429 ? { headers: { 'Retry-After': { schema: { type: 'integer' } } } } : {};
}

export interface Operation {
  readonly method: Method;
  readonly access: Access;
  /** The parameters of its path. */
  readonly names: readonly string[];
}

export function responsesOf(described: OperationDescription, operation: Operation): object {
  const { also = [] } = described;
  const failures = failuresOf(described, operation).map((status) => [
    String(status),
    { $ref: `#/components/responses/${nameOf(status)}` },
  ]);
  const redirect =
    operation.method === 'GET' && TAGGED.some((name) => operation.names.includes(name)) ? { 304: NOT_MODIFIED } : {};
  return {
    [statusOf(described)]: success(described),
    ...Object.fromEntries(also.map((status) => [String(status), { description: DONE[status] ?? 'Done' }])),
    ...redirect,
    ...Object.fromEntries(failures),
  };
}

/** In the paths of what has tags. */
const TAGGED = ['repository', 'prefix'];
const NOT_MODIFIED = { description: 'Nothing has changed since the state of If-None-Match' };
const DONE: Readonly<Record<number, string>> = {
  200: 'What the change would do, where dry-run is given',
  201: 'Created',
  202: 'Begun; Location is its job',
  204: 'Done, or nothing to tell',
};

const statusOf = ({ status, gives }: OperationDescription): string =>
  String(status ?? (gives === undefined ? 204 : 200));

function success({ gives, shape }: OperationDescription): object {
  if (gives === undefined) return { description: 'Done' };
  const content = gives.map((type) => [
    type,
    type === JSON_TYPE && shape !== undefined ? { schema: schemaOf(shape) } : {},
  ]);
  return { description: 'The answer', content: Object.fromEntries(content) as object };
}

function schemaOf(shape: Shape): object {
  if (typeof shape === 'string') return { $ref: `#/components/schemas/${shape}` };
  return 'list' in shape
    ? { type: 'array', items: schemaOf(shape.list) }
    : { type: 'object', additionalProperties: schemaOf(shape.map) };
}

/** With which statuses an operation may fail: each for a reason that operations of its kind have in common. */
function failuresOf(described: OperationDescription, { method, access, names }: Operation): Failure[] {
  const { takes, gives, fails = [] } = described;
  const inRepository = names.includes('repository');
  const writes = method !== 'GET';
  const failures = new Set<number>([400, 401, 421, 429, 500, 503, ...fails]);
  const add = (when: boolean, ...statuses: number[]): void => {
    if (when) for (const status of statuses) failures.add(status);
  };
  add(access !== 'public' || writes, 403);
  add(names.length > 0, 404);
  add(gives !== undefined, 406);
  add(takes !== undefined, 408, 413, 415, 422);
  add(inRepository, 308, 410, 413, 502, 504, 507);
  add(writes || inRepository, 412);
  add(writes && inRepository, 409, 422, 428);
  return [...failures].filter((status): status is Failure => status in MEANINGS).toSorted((a, b) => a - b);
}

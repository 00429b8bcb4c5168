/**
 * The parameters of each route and method, in the address and in a form. All others are refused: `parameters/closed-parameters.ts`. The
 * OpenAPI document has them from here.
 */
import { FIELD_NAMES, type ParameterName } from '../parameters/known-parameters.js';
import type { Method, Taken } from '../service.js';

/** The path of a repository. */
export const REPOSITORY_PATH = '/:account/:repository';

type List = readonly ParameterName[];

/** The type of an answer, for clients that cannot set `Accept`. */
const ANSWER: List = ['Accept', 'format', 'output', 'results'];
const PATTERN: List = ['subj', 'pred', 'obj', 'context'];
/** A pattern by which revisions are chosen: the graph has two names. */
const CHANGED: List = [...PATTERN, 'graph'];
const RANGE: List = ['from', 'until', 'before', 'limit', 'revision-id'];
/** How a document is read. */
const READING: List = ['baseURI', 'rdfDirection', 'expandContext', 'processingMode', 'preserveNodeId'];
const SKIPPING: List = ['on-error', 'max-errors'];

/** What clients of other servers send with every query and update. */
const DIALECT: List = ['infer', 'sameAs', 'distinct', 'queryLn', 'ruleset', 'user_id', 'debug'];
const DATASET: List = ['default-graph-uri', 'named-graph-uri'];
const SLICE: List = ['limit', 'offset', 'response-limit', 'response-offset'];
/** Of every SPARQL text. */
const TEXT: List = ['values', ...DATASET, '$', 'baseURI', 'timeout', 'revision-id', ...ANSWER, ...DIALECT];

/** Of a query, apart from its text. */
const ANSWERED: List = [...TEXT, ...SLICE, 'compare', 'explain'];
const QUERY: List = ['query', ...ANSWERED];
/** Some of them are refused with a hint to what an update has in their place. */
export const UPDATE: List = ['update', ...TEXT, 'using-graph-uri', 'using-named-graph-uri', 'explain', 'message'];
const QUERY_OR_UPDATE: List = [...new Set([...QUERY, ...UPDATE])];
const LIVE: List = ['query', ...TEXT, 'since', 'limit'];

const READ: List = [...PATTERN, 'revision-id', ...ANSWER, 'infer', 'user_id', 'timeout'];
const REMOVE: List = [...PATTERN, 'message', 'user_id', 'infer', 'Accept', 'format', 'timeout'];
/** Of a document that is added, or that replaces what there is. */
export const DOCUMENT: List = ['url', 'context', ...SKIPPING, ...READING, 'message', 'user_id', 'infer'];
const DOCUMENT_OR_UPDATE: List = [...new Set([...DOCUMENT, ...UPDATE])];
export const OPERATIONS: List = ['message', 'user_id'];

/** Of a document that becomes a graph. */
const GRAPH_WRITE: List = [...SKIPPING, ...READING, 'message'];
/** A PATCH of a graph by a document, or of the dataset by an update. */
export const GRAPH_PATCH: List = [...READING, 'message'];
const GRAPH_UPDATE: List = [...new Set([...GRAPH_PATCH, ...UPDATE])];

/** Of the actions of a transaction. */
export const TRANSACTION: Readonly<Record<string, List>> = {
  ADD: ['action', 'context', ...READING, 'user_id', 'infer'],
  DELETE: ['action', 'context', ...READING, 'user_id', 'infer'],
  GET: ['action', ...READ],
  SIZE: ['action', 'context', 'infer'],
  QUERY: ['action', ...QUERY],
  UPDATE: ['action', ...UPDATE],
  PING: ['action'],
  COMMIT: ['action', 'message'],
  ROLLBACK: ['action'],
};
const ANY_ACTION: List = [...new Set(Object.values(TRANSACTION).flat())];

/** Without a body but that of a form. */
const form = (...names: List): Taken => ({ names, body: 'form' });
/** The fields of a form are parameters, and the handler reads other bodies. */
const typed = (...names: List): Taken => ({ names, body: 'typed' });
/** The handler reads every body, since some clients send all of them with the type of a form. */
const raw = (...names: List): Taken => ({ names, body: 'raw' });

/** Of what all branches have in common. */
const common = (taken: Taken): Taken => ({ ...taken, allBranches: true });

type Table = Readonly<Record<string, Readonly<Partial<Record<Method, Taken>>> | undefined>>;

const SERVER: Table = {
  '/health': { GET: form() },
  '/ready': { GET: form() },
  '/metrics': { GET: form() },
  '/openapi.json': { GET: form() },
  '/system': { GET: form() },
  '/session': { GET: form(), POST: raw() },
  '/backup': { POST: form() },
  '/accounts': { GET: form(), POST: raw() },
  '/accounts/:account': { GET: form(), DELETE: form('force') },
  '/servers': { GET: form() },
  '/audit': { GET: form('limit') },
  '/queries': { GET: form('client-request-id'), DELETE: form('client-request-id') },
  '/queries/:id': { GET: form(), DELETE: form() },
  '/jobs': { GET: form('status', 'repository', 'client-request-id', 'limit') },
  '/jobs/:id': { GET: form(), PATCH: raw(), DELETE: form() },
  '/jobs/:id/problems': { GET: form() },
  '/rest/security/authenticated-user': { GET: form() },
  '/rest/login/:user': { POST: raw() },
  '/repositories': { GET: form('all', ...ANSWER) },
  '/:account': { GET: form() },
  '/:account/protocol': { GET: form() },
  '/:account/tokens': { GET: form(), POST: raw() },
  '/:account/tokens/:id': { GET: form(), DELETE: form() },
  '/:account/namespaces': { GET: form(...ANSWER), DELETE: form() },
  '/:account/namespaces/:prefix': { GET: form(...ANSWER), PUT: raw(), DELETE: form() },
  '/:account/repositories': { GET: form(...ANSWER), POST: typed(...FIELD_NAMES) },
};

const GRAPHS = {
  GET: form('revision-id'),
  PUT: raw(...GRAPH_WRITE),
  POST: raw(...GRAPH_WRITE),
  PATCH: raw(...GRAPH_PATCH),
  DELETE: form('message'),
} as const;
const named = ({ names, body }: Taken): Taken => ({ names: ['graph', 'default', ...names], body });
const NAMED_GRAPHS = {
  GET: named(GRAPHS.GET),
  PUT: named(GRAPHS.PUT),
  POST: named(GRAPHS.POST),
  PATCH: named(raw(...GRAPH_UPDATE)),
  DELETE: named(GRAPHS.DELETE),
};

const REPOSITORY: Table = {
  '': {
    GET: form(...new Set([...READ, ...QUERY, ...RANGE])),
    POST: typed(...QUERY_OR_UPDATE),
    DELETE: form(),
  },
  '/meta': { GET: form(), PUT: common(typed(...FIELD_NAMES)) },
  '/settings': { GET: form(), PATCH: common(raw()) },
  '/audit': { GET: form('limit') },
  '/erase': { POST: raw() },
  '/fork': { POST: raw() },
  '/status': { GET: form() },
  '/jobs': { POST: common(raw()) },
  '/collaborators': { GET: form() },
  '/collaborators/:collaborator': { GET: form(), PUT: common(raw()), DELETE: common(form()) },
  '/namespaces': { GET: form(...ANSWER), DELETE: common(form()) },
  '/namespaces/:prefix': { GET: form(...ANSWER), PUT: common(raw()), DELETE: common(form()) },
  '/timemap': { GET: form(...RANGE) },
  '/timemap/link/:uri': { GET: form(...RANGE) },
  '/timegate': { GET: form() },
  '/timegate/:uri': { GET: form() },
  '/revisions': {
    GET: form(...RANGE, ...CHANGED, 'author', 'message', 'branches', 'buckets', 'cursor'),
    DELETE: form('revision-id', 'last', 'per-day', 'mode', 'dry-run'),
  },
  '/revisions/:ref': { GET: form() },
  '/revisions/:ref/revert': { POST: form('preview', 'message') },
  '/revisions/:ref/cherry-pick': { POST: raw('message', 'timeout') },
  '/branches': { GET: form() },
  '/branches/:name/merge': { POST: raw('preview', 'limit', 'message', 'timeout') },
  '/branches/:name': { GET: form(), PUT: raw('from', 'revision-id'), PATCH: raw(), DELETE: form('force') },
  '/reset': { POST: form('to', 'message') },
  '/blame': { GET: form(...CHANGED, 'removed', 'revision-id', ...ANSWER) },
  '/changes': {
    GET: form(...CHANGED, 'since', 'limit', 'wait', 'history', 'branches'),
    POST: raw('history', 'message'),
  },
  '/changes/common': { POST: raw() },
  '/ldes': { GET: form('timeout') },
  '/ldes/:page': { GET: form('timeout') },
  '/digest': { GET: form('revision-id', 'timeout') },
  '/diff': { GET: form('from', 'to', 'revision-id', 'summary', 'limit', 'cursor', ...CHANGED) },
  '/history': { GET: form(...CHANGED, ...RANGE, ...ANSWER) },
  '/refs': { GET: form() },
  '/refs/:name': { GET: form(), PUT: raw('to', 'revision-id'), DELETE: common(form()) },
  '/sparql': { GET: form(...QUERY), POST: typed(...QUERY_OR_UPDATE) },
  '/live': { GET: form(...LIVE) },
  '/parse': { POST: common(raw('baseURI', 'timeout')) },
  '/views': { GET: form() },
  '/views/:view': { GET: form(...ANSWERED), PUT: common(raw('query')), POST: common(raw()), DELETE: common(form()) },
  '/transactions': { POST: form('isolation-level', 'transaction-setting__') },
  '/transactions/:id': {
    GET: form(...ANY_ACTION),
    PUT: typed(...ANY_ACTION),
    POST: typed(...ANY_ACTION),
    DELETE: form(),
  },
  '/statements': {
    GET: form(...READ),
    POST: typed(...DOCUMENT_OR_UPDATE),
    PUT: typed(...DOCUMENT),
    DELETE: form(...REMOVE),
  },
  '/export/:extension': { GET: form(...READ) },
  '/size': { GET: form('context', 'revision-id', ...ANSWER) },
  '/tpf': { GET: form('subject', 'predicate', 'object', 'graph', 'context', 'page', 'revision-id', 'timeout') },
  '/schema': { GET: form('revision-id', 'timeout') },
  '/terms': { GET: form('position', 'prefix', 'limit', 'revision-id', 'timeout') },
  '/contexts': { GET: form('revision-id', ...ANSWER) },
  '/service': NAMED_GRAPHS,
  '/rdf-graphs/service': NAMED_GRAPHS,
  '/rdf-graphs/:graph': GRAPHS,
  '/graphs/:graph': GRAPHS,
  '/:graph': GRAPHS,
};

/** What a method of a route takes; `undefined` where nobody has said it. */
export function takenBy(path: string, method: Method): Taken | undefined {
  const plain = path.replace(/\{[^}]*\}/g, '');
  const below = plain.slice(REPOSITORY_PATH.length);
  return (plain.startsWith(REPOSITORY_PATH) ? REPOSITORY[below] : SERVER[plain])?.[method];
}

/** What each route is for, as the OpenAPI document tells it. A test holds it against the table of routes. */
import { ASK_OFFERS, GRAPH_OFFERS, SELECT_OFFERS, STATEMENT_OFFERS } from '../documents/media-types.js';
import type { Method } from '../service.js';
import { POSITIONS } from './overview/term-counts.js';

export interface OperationDescription {
  readonly summary: string;
  /** Query parameters by name. */
  readonly parameters?: readonly ParameterName[];
  /** Media types of the body. */
  readonly takes?: readonly string[];
  /** Media types of the answer; none where it has no body. */
  readonly gives?: readonly string[];
  /** Status of success. Default 200 with a body, else 204. */
  readonly status?: number;
}
export type ResourceDescription = Partial<Record<Method, OperationDescription>>;

/** The query parameters that are known, each told once. */
export const PARAMETERS = {
  subj: 'Subject, as an N-Triples term or a bare IRI',
  pred: 'Predicate, as an IRI',
  obj: 'Object, as an N-Triples term or a bare IRI',
  context: 'Graph, as an IRI, a blank node, `null` or `default`; may be repeated',
  baseURI: 'Resolves relative IRIs of the document',
  rdfDirection: 'What a string of JSON-LD with a base direction becomes: `i18n-datatype` or `compound-literal`',
  expandContext: 'Context that comes before those of a JSON-LD document: its address, or JSON',
  processingMode: '`json-ld-1.0` or `json-ld-1.1`',
  query: 'SPARQL query',
  update: 'SPARQL update',
  timeout: 'Seconds that parsing, planning and running may take; at most what `/system` tells',
  'revision-id':
    'Revision: IRI, UUID, ordinal, HEAD, HEAD~n, TAIL, time or tag; an interval A--B where history is meant',
  from: 'First revision, or time',
  to: 'Revision',
  until: 'Last revision, or time',
  before: 'Revision or time that is not part of it any more',
  limit: 'At most so many: of a list the newest, of changes the first',
  since: 'Revision after which to begin; default HEAD. The header Last-Event-ID comes first',
  wait: 'Seconds to wait for the first revision, 0 to 60',
  author: 'Only revisions of this author',
  message:
    'Of a change: the message of its revision, if there is no header Revision-Message. Of a list: only revisions whose message ' +
    'contains this, in any case of letters',
  graph: 'Graph IRI',
  position: '`subject`, `predicate`, `object`, `graph` or `class`',
  prefix: 'Beginning of the IRI, of its last part or of a literal; or a prefixed name',
  all: '`1`: those of other accounts that the caller may read, too',
  status: 'Of jobs: `all`, or one status. Default: those that are pending or running',
  repository: '`account/repository`',
  buckets: 'At most so many groups of neighbouring revisions, in place of the revisions',
  summary: '`1`: how much is added and removed, in all and by predicate',
  cursor: 'Where a page begins; of the Link to it',
  compare: 'Revision whose answer is compared: rows that only one answer has, with the column `change`',
  'client-request-id': 'Only those of the caller that were sent with this Client-Request-Id',
  subject: 'IRI',
  predicate: 'IRI',
  object: 'IRI, or a literal as `"text"`, `"text"@en` or `"text"^^IRI`',
  page: 'Number of the page, from 1',
  'on-error': '`skip`: lines of N-Triples and N-Quads that are not well formed are left out. Default `fail`',
  'max-errors': 'How many lines may be left out. Default 1000',
  preview: '`1`: tell the changes, and make none',
  removed: '`1`: statements that are gone, too',
  default: 'The default graph',
  force: '`1`: with the repositories of the account',
  action: 'ADD, DELETE, GET, SIZE, QUERY, UPDATE, PING, COMMIT or ROLLBACK',
} as const;
export type ParameterName = keyof typeof PARAMETERS;

/** The values of those parameters that are no texts. */
export const SCHEMAS: Readonly<Partial<Record<ParameterName, object>>> = {
  limit: { type: 'integer', minimum: 0 },
  timeout: { type: 'number', exclusiveMinimum: 0 },
  page: { type: 'integer', minimum: 1 },
  wait: { type: 'number', minimum: 0, maximum: 60 },
  position: { type: 'string', enum: POSITIONS },
};

const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';
const GRAPH = ['graph', 'default'] as const;
const PATTERN = ['subj', 'pred', 'obj', 'context'] as const;
const READING = ['baseURI', 'rdfDirection', 'expandContext', 'processingMode'] as const;
const SKIPPING = ['on-error', 'max-errors'] as const;
const RANGE = ['from', 'until', 'before', 'limit', 'revision-id'] as const;
const QUERY_TYPES = [FORM, 'multipart/form-data', 'application/sparql-query', 'application/sparql-update'];
const QUERY_ANSWERS = [...new Set([...ASK_OFFERS, ...GRAPH_OFFERS])];
const DIFFS = ['application/rdf-patch', 'application/sparql-update', 'application/trig', JSON_TYPE];
const LISTS = [JSON_TYPE, ...SELECT_OFFERS];
const R = '/:account/:repository';

const SPARQL: ResourceDescription = {
  GET: {
    summary: 'Answer a query, or describe the service',
    parameters: ['query', 'timeout', 'revision-id', 'compare'],
    gives: QUERY_ANSWERS,
  },
  POST: {
    summary: 'Answer a query, or make an update',
    parameters: ['timeout', 'revision-id', 'compare', 'message'],
    takes: QUERY_TYPES,
    gives: QUERY_ANSWERS,
  },
};
const GRAPH_STORE: ResourceDescription = {
  GET: { summary: 'Read a graph', parameters: [...GRAPH, 'revision-id'], gives: STATEMENT_OFFERS },
  PUT: {
    summary: 'Replace a graph',
    parameters: [...GRAPH, ...SKIPPING, ...READING, 'message'],
    takes: STATEMENT_OFFERS,
  },
  POST: {
    summary: 'Add to a graph',
    parameters: [...GRAPH, ...SKIPPING, ...READING, 'message'],
    takes: STATEMENT_OFFERS,
  },
  PATCH: { summary: 'Change graphs', parameters: [...GRAPH, ...READING, 'message'], takes: STATEMENT_OFFERS },
  DELETE: { summary: 'Remove a graph', parameters: [...GRAPH, 'message'] },
};

export const DESCRIPTIONS: Readonly<Record<string, ResourceDescription>> = {
  '/health': { GET: { summary: 'Whether the server lives', gives: [JSON_TYPE] } },
  '/ready': { GET: { summary: 'Whether the server takes requests; 503 if it does not', gives: [JSON_TYPE] } },
  '/metrics': { GET: { summary: 'Figures for Prometheus (operators)', gives: ['text/plain'] } },
  '/openapi.json': { GET: { summary: 'This document', gives: [JSON_TYPE] } },
  '/backup': { POST: { summary: 'Back the store up (operators)', gives: ['application/x-tar'] } },
  '/system': { GET: { summary: 'Version, features and limits of the server', gives: [JSON_TYPE] } },
  '/session': {
    GET: { summary: 'Who asks, and what it may do', gives: [JSON_TYPE] },
    POST: { summary: 'Exchange the code of a sign-in link for a token', takes: [JSON_TYPE], gives: [JSON_TYPE] },
  },
  '/accounts': {
    GET: { summary: 'List the accounts (operators)', gives: [JSON_TYPE] },
    POST: { summary: 'Create an account (operators)', takes: [JSON_TYPE], gives: [JSON_TYPE], status: 201 },
  },
  '/accounts/:account': {
    GET: { summary: 'The record of an account', gives: [JSON_TYPE] },
    DELETE: { summary: 'Delete an account and its tokens (operators)', parameters: ['force'] },
  },
  '/audit': {
    GET: {
      summary: 'Who has changed accounts, tokens and rights (operators)',
      parameters: ['limit'],
      gives: [JSON_TYPE],
    },
  },
  '/queries': {
    GET: {
      summary: 'Queries and updates that wait or run: those of the caller, and those in its repositories',
      parameters: ['client-request-id'],
      gives: [JSON_TYPE],
    },
    DELETE: { summary: 'Cancel the queries and updates that wait or run', parameters: ['client-request-id'] },
  },
  '/queries/:id': {
    GET: { summary: 'One running query', gives: [JSON_TYPE] },
    DELETE: { summary: 'Cancel a query' },
  },
  '/jobs': {
    GET: {
      summary: 'List the jobs',
      parameters: ['status', 'repository', 'client-request-id', 'limit'],
      gives: [JSON_TYPE],
    },
  },
  '/jobs/:id': { GET: { summary: 'One job', gives: [JSON_TYPE] }, DELETE: { summary: 'Abort a job' } },
  '/jobs/:id/problems': { GET: { summary: 'The lines that an import has skipped', gives: [JSON_TYPE] } },
  '/rest/security/authenticated-user': { GET: { summary: 'Who asks (GraphDB)', gives: [JSON_TYPE] } },
  '/rest/login/:user': {
    POST: { summary: 'Log in with a token as password (GraphDB)', gives: [JSON_TYPE], status: 200 },
  },
  '/repositories': {
    GET: {
      summary: 'List the repositories of the caller, or all that it may read',
      parameters: ['all'],
      gives: LISTS,
    },
  },
  '/:account': { GET: { summary: 'The record of an account', gives: [JSON_TYPE] } },
  '/:account/protocol': { GET: { summary: 'Version of the RDF4J protocol', gives: ['text/plain'] } },
  '/:account/tokens': {
    GET: { summary: 'List the tokens of an account', gives: [JSON_TYPE] },
    POST: {
      summary: 'Create a token, which is shown in this answer alone',
      takes: [JSON_TYPE],
      gives: [JSON_TYPE],
      status: 201,
    },
  },
  '/:account/tokens/:id': {
    GET: { summary: 'One token, without its text', gives: [JSON_TYPE] },
    DELETE: { summary: 'Revoke a token' },
  },
  '/:account/namespaces': {
    GET: { summary: 'List the prefixes that all repositories of an account have', gives: LISTS },
    DELETE: { summary: 'Remove all of them' },
  },
  '/:account/namespaces/:prefix': {
    GET: { summary: 'The namespace of a prefix of an account', gives: ['text/plain'] },
    PUT: { summary: 'Declare a prefix for all repositories of an account', takes: ['text/plain'] },
    DELETE: { summary: 'Remove a prefix of an account' },
  },
  '/:account/repositories': {
    GET: { summary: 'List the repositories of an account', gives: LISTS },
    POST: { summary: 'Create a repository', takes: [FORM, JSON_TYPE], gives: [JSON_TYPE] },
  },
  [R]: {
    GET: {
      summary: 'The statements; the record as JSON; the timemap as link-format; the answer of a query',
      parameters: ['query', 'revision-id'],
      gives: [...new Set([...STATEMENT_OFFERS, JSON_TYPE, 'application/link-format', 'text/html'])],
    },
    POST: SPARQL.POST!,
    DELETE: { summary: 'Delete the repository', status: 200 },
  },
  [`${R}/meta`]: {
    GET: { summary: 'The record of the repository', gives: [JSON_TYPE] },
    PUT: { summary: 'Change the record', takes: [FORM, JSON_TYPE], status: 200 },
  },
  [`${R}/status`]: { GET: { summary: 'The job that was last', gives: [JSON_TYPE] } },
  [`${R}/collaborators`]: { GET: { summary: 'List the collaborators and their rights', gives: [JSON_TYPE] } },
  [`${R}/collaborators/:collaborator`]: {
    GET: { summary: 'The rights of a collaborator', gives: [JSON_TYPE] },
    PUT: { summary: 'Set the rights of a collaborator', takes: [JSON_TYPE] },
    DELETE: { summary: 'Remove a collaborator' },
  },
  [`${R}/export/:extension`]: {
    GET: { summary: 'The statements in the format of a file extension', gives: STATEMENT_OFFERS },
  },
  [`${R}/tpf`]: {
    GET: {
      summary: 'Triple Pattern Fragments: the triples of a pattern in pages, with controls',
      parameters: ['subject', 'predicate', 'object', 'graph', 'page', 'revision-id', 'timeout'],
      gives: ['application/trig', 'application/n-quads', 'text/turtle', 'application/n-triples', 'application/ld+json'],
    },
  },
  [`${R}/schema`]: {
    GET: {
      summary: 'Classes, properties and graphs, with the number of their statements',
      parameters: ['revision-id', 'timeout'],
      gives: [JSON_TYPE],
    },
  },
  [`${R}/terms`]: {
    GET: {
      summary: 'The terms of a position, with the number of their statements, the most frequent first',
      parameters: ['position', 'prefix', 'limit', 'revision-id', 'timeout'],
      gives: [JSON_TYPE],
    },
  },
  [`${R}/size`]: {
    GET: { summary: 'How many statements there are', parameters: ['context', 'revision-id'], gives: ['text/plain'] },
  },
  [`${R}/sparql`]: SPARQL,
  [`${R}/contexts`]: {
    GET: { summary: 'List the named graphs', parameters: ['revision-id'], gives: SELECT_OFFERS },
  },
  [`${R}/namespaces`]: {
    GET: { summary: 'List the prefixes', gives: LISTS },
    DELETE: { summary: 'Remove all prefixes' },
  },
  [`${R}/namespaces/:prefix`]: {
    GET: { summary: 'The namespace of a prefix', gives: ['text/plain'] },
    PUT: { summary: 'Declare a prefix', takes: ['text/plain'] },
    DELETE: { summary: 'Remove a prefix' },
  },
  [`${R}/timemap`]: {
    GET: {
      summary: 'All revisions as mementos',
      parameters: RANGE,
      gives: [...new Set(['application/n-triples', 'application/link-format', JSON_TYPE, ...STATEMENT_OFFERS])],
    },
  },
  [`${R}/timemap/link/:uri`]: {
    GET: { summary: 'The timemap as link-format', parameters: RANGE, gives: ['application/link-format'] },
  },
  [`${R}/timegate`]: { GET: { summary: 'Leads to the revision of Accept-Datetime', status: 302 } },
  [`${R}/timegate/:uri`]: { GET: { summary: 'Leads to the revision of Accept-Datetime', status: 302 } },
  [`${R}/revisions`]: {
    GET: {
      summary: 'List the revisions, those of an author, with a part of a message, or that changed matching statements',
      parameters: [...RANGE, 'author', 'message', 'buckets', ...PATTERN, 'graph'],
      gives: [JSON_TYPE, 'application/n-triples', 'text/csv', 'text/plain', 'text/turtle'],
    },
  },
  [`${R}/revisions/:ref`]: {
    GET: {
      summary: 'One revision',
      gives: [JSON_TYPE, 'application/n-triples', 'text/csv', 'text/plain', 'text/turtle'],
    },
  },
  [`${R}/revisions/:ref/revert`]: {
    POST: {
      summary: 'Undo a revision by a new one, or tell what that would change',
      parameters: ['preview', 'message'],
    },
  },
  [`${R}/reset`]: {
    POST: { summary: 'Bring back the content of a revision as a new one', parameters: ['to', 'message'] },
  },
  [`${R}/blame`]: {
    GET: {
      summary: 'Which revision each statement is from',
      parameters: [...PATTERN, 'graph', 'removed', 'revision-id'],
      gives: SELECT_OFFERS,
    },
  },
  [`${R}/changes`]: {
    GET: {
      summary: 'The revisions after one, with their changes: a feed that goes on, or those that there are',
      parameters: ['since', 'limit', 'wait', 'graph', ...PATTERN],
      gives: ['text/event-stream', 'application/rdf-patch'],
    },
    POST: { summary: 'Apply a patch as one revision', takes: ['application/rdf-patch'] },
  },
  [`${R}/diff`]: {
    GET: {
      summary: 'What differs between two revisions',
      parameters: ['from', 'to', 'revision-id', 'summary', 'limit', 'cursor', ...PATTERN],
      gives: DIFFS,
    },
  },
  [`${R}/history`]: {
    GET: { summary: 'When statements came and went', parameters: [...PATTERN, ...RANGE], gives: SELECT_OFFERS },
  },
  [`${R}/parse`]: {
    POST: {
      summary: 'What a query or an update says, and all its errors',
      parameters: ['baseURI', 'timeout'],
      takes: ['application/sparql-query', 'application/sparql-update'],
      gives: [JSON_TYPE],
    },
  },
  [`${R}/views`]: { GET: { summary: 'List the views', gives: [JSON_TYPE] } },
  [`${R}/views/:view`]: {
    GET: {
      summary: 'Answer the query of a view, or show it as application/sparql-query',
      parameters: ['timeout', 'revision-id'],
      gives: [...QUERY_ANSWERS, 'application/sparql-query'],
    },
    PUT: { summary: 'Keep a query as a view', takes: ['application/sparql-query', 'text/plain', FORM] },
    POST: { summary: 'Not implemented', status: 501 },
    DELETE: { summary: 'Remove a view' },
  },
  [`${R}/jobs`]: {
    POST: { summary: 'Start a check or a compaction as a job (owners)', takes: [JSON_TYPE], status: 202 },
  },
  [`${R}/refs`]: { GET: { summary: 'List the tags', gives: [JSON_TYPE] } },
  [`${R}/refs/:name`]: {
    GET: { summary: 'The revision of a tag', gives: [JSON_TYPE, 'text/plain'] },
    PUT: { summary: 'Set a tag', parameters: ['to'], takes: ['text/plain'], status: 201 },
    DELETE: { summary: 'Remove a tag' },
  },
  [`${R}/transactions`]: { POST: { summary: 'Begin a transaction (RDF4J)', status: 201 } },
  [`${R}/transactions/:id`]: {
    GET: { summary: 'Read within a transaction', parameters: ['action'], gives: QUERY_ANSWERS },
    PUT: {
      summary: 'Act within a transaction, commit it',
      parameters: ['action'],
      takes: STATEMENT_OFFERS,
      gives: QUERY_ANSWERS,
    },
    POST: { summary: 'Act within a transaction', parameters: ['action'], takes: QUERY_TYPES, gives: QUERY_ANSWERS },
    DELETE: { summary: 'Roll a transaction back' },
  },
  [`${R}/service`]: GRAPH_STORE,
  [`${R}/rdf-graphs/service`]: GRAPH_STORE,
  [`${R}/rdf-graphs/:graph`]: GRAPH_STORE,
  [`${R}/graphs/:graph`]: GRAPH_STORE,
  [`${R}/statements`]: {
    GET: { summary: 'Read statements', parameters: [...PATTERN, 'revision-id'], gives: STATEMENT_OFFERS },
    POST: {
      summary: 'Add statements',
      parameters: ['context', ...SKIPPING, ...READING, 'message'],
      takes: [...STATEMENT_OFFERS, FORM, 'multipart/form-data', 'application/sparql-update'],
    },
    PUT: {
      summary: 'Replace statements',
      parameters: ['context', ...SKIPPING, ...READING, 'message'],
      takes: [...STATEMENT_OFFERS, FORM, 'multipart/form-data'],
    },
    DELETE: { summary: 'Remove statements', parameters: [...PATTERN, 'message'] },
  },
};

/** The descriptions of all routes for the OpenAPI document. A test compares them with the table of routes. */
import { ASK_OFFERS, GRAPH_OFFERS, SELECT_OFFERS, STATEMENT_OFFERS } from '../documents/media-types.js';
import type { ResourceDescription } from './operation.js';

const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';
const GRAPH = ['graph', 'default'] as const;
const PATTERN = ['subj', 'pred', 'obj', 'context'] as const;
const READING = ['baseURI', 'rdfDirection', 'expandContext', 'processingMode'] as const;
const STREAMS = ['application/trig', 'application/n-quads', 'application/ld+json'];
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
    parameters: ['query', 'timeout', 'revision-id', 'compare', 'explain'],
    gives: QUERY_ANSWERS,
  },
  POST: {
    summary: 'Answer a query, or make an update',
    also: [204],
    parameters: ['timeout', 'revision-id', 'compare', 'explain', 'message'],
    takes: QUERY_TYPES,
    gives: QUERY_ANSWERS,
  },
};
const GRAPH_STORE: ResourceDescription = {
  GET: { summary: 'Read a graph', parameters: [...GRAPH, 'revision-id'], gives: STATEMENT_OFFERS },
  PUT: {
    summary: 'Replace a graph',
    also: [201, 202],
    parameters: [...GRAPH, ...SKIPPING, ...READING, 'message'],
    takes: STATEMENT_OFFERS,
  },
  POST: {
    summary: 'Add to a graph',
    also: [201, 202],
    parameters: [...GRAPH, ...SKIPPING, ...READING, 'message'],
    takes: STATEMENT_OFFERS,
  },
  PATCH: { summary: 'Change graphs', parameters: [...GRAPH, ...READING, 'message'], takes: STATEMENT_OFFERS },
  DELETE: { summary: 'Remove a graph', parameters: [...GRAPH, 'message'] },
};

export const DESCRIPTIONS: Readonly<Record<string, ResourceDescription>> = {
  '/health': { GET: { summary: 'Whether the server lives', shape: 'Health', gives: [JSON_TYPE] } },
  '/ready': {
    GET: { summary: 'Whether the server takes requests; 503 if it does not', shape: 'Readiness', gives: [JSON_TYPE] },
  },
  '/metrics': { GET: { summary: 'Figures for Prometheus (operators)', gives: ['text/plain'] } },
  '/openapi.json': { GET: { summary: 'This document', gives: [JSON_TYPE] } },
  '/backup': { POST: { summary: 'Back the store up (operators)', bodyless: true, gives: ['application/x-tar'] } },
  '/system': { GET: { summary: 'Version, features and limits of the server', shape: 'System', gives: [JSON_TYPE] } },
  '/session': {
    GET: { summary: 'Who asks, and what it may do', shape: 'Session', gives: [JSON_TYPE] },
    POST: {
      summary: 'Exchange the code of a sign-in link for a token',
      sends: 'SignInCode',
      shape: 'SignedIn',
      takes: [JSON_TYPE],
      gives: [JSON_TYPE],
    },
  },
  '/accounts': {
    GET: { summary: 'List the accounts (operators)', shape: { list: 'Account' }, gives: [JSON_TYPE] },
    POST: {
      summary: 'Create an account (operators)',
      sends: 'NewAccount',
      shape: 'Account',
      takes: [JSON_TYPE],
      gives: [JSON_TYPE],
      status: 201,
    },
  },
  '/accounts/:account': {
    GET: { summary: 'The record of an account', shape: 'AccountRecord', gives: [JSON_TYPE] },
    DELETE: { summary: 'Delete an account and its tokens (operators)', fails: [409], parameters: ['force'] },
  },
  '/audit': {
    GET: {
      summary: 'Who has changed accounts, tokens and rights (operators)',
      shape: { list: 'AuditEntry' },
      parameters: ['limit'],
      gives: [JSON_TYPE],
    },
  },
  '/queries': {
    GET: {
      summary: 'Queries and updates that wait or run: those of the caller, and those in its repositories',
      shape: { list: 'Query' },
      parameters: ['client-request-id'],
      gives: [JSON_TYPE],
    },
    DELETE: { summary: 'Cancel the queries and updates that wait or run', parameters: ['client-request-id'] },
  },
  '/queries/:id': {
    GET: { summary: 'One running query', shape: 'Query', gives: [JSON_TYPE] },
    DELETE: { summary: 'Cancel a query' },
  },
  '/jobs': {
    GET: {
      summary: 'List the jobs',
      shape: { list: 'Job' },
      parameters: ['status', 'repository', 'client-request-id', 'limit'],
      gives: [JSON_TYPE],
    },
  },
  '/jobs/:id': {
    GET: { summary: 'One job', shape: 'Job', gives: [JSON_TYPE] },
    PATCH: {
      summary: 'Send a further part of the document of an import that was begun with Upload-Complete: ?0',
      takes: ['application/partial-upload', 'application/octet-stream'],
      bodyless: true,
      also: [202],
      fails: [409, 410, 412, 507],
    },
    DELETE: { summary: 'Abort a job' },
  },
  '/jobs/:id/problems': {
    GET: { summary: 'The lines that an import has skipped', shape: { list: 'Problem' }, gives: [JSON_TYPE] },
  },
  '/rest/security/authenticated-user': { GET: { summary: 'Who asks (GraphDB)', shape: 'User', gives: [JSON_TYPE] } },
  '/rest/login/:user': {
    POST: {
      summary: 'Log in with a token as password (GraphDB)',
      shape: 'User',
      bodyless: true,
      gives: [JSON_TYPE],
      status: 200,
    },
  },
  '/repositories': {
    GET: {
      summary: 'List the repositories of the caller, or all that it may read',
      shape: { list: 'Repository' },
      parameters: ['all'],
      gives: LISTS,
    },
  },
  '/:account': { GET: { summary: 'The record of an account', shape: 'AccountRecord', gives: [JSON_TYPE] } },
  '/:account/protocol': { GET: { summary: 'Version of the RDF4J protocol', gives: ['text/plain'] } },
  '/:account/tokens': {
    GET: { summary: 'List the tokens of an account', shape: { list: 'Token' }, gives: [JSON_TYPE] },
    POST: {
      summary: 'Create a token, which is shown in this answer alone',
      sends: 'NewToken',
      shape: 'MadeToken',
      takes: [JSON_TYPE],
      gives: [JSON_TYPE],
      status: 201,
    },
  },
  '/:account/tokens/:id': {
    GET: { summary: 'One token, without its text', shape: 'Token', gives: [JSON_TYPE] },
    DELETE: { summary: 'Revoke a token' },
  },
  '/:account/namespaces': {
    GET: {
      summary: 'List the prefixes that all repositories of an account have',
      shape: { map: 'Namespace' },
      gives: LISTS,
    },
    DELETE: { summary: 'Remove all of them' },
  },
  '/:account/namespaces/:prefix': {
    GET: { summary: 'The namespace of a prefix of an account', gives: ['text/plain'] },
    PUT: { summary: 'Declare a prefix for all repositories of an account', takes: ['text/plain'] },
    DELETE: { summary: 'Remove a prefix of an account' },
  },
  '/:account/repositories': {
    GET: { summary: 'List the repositories of an account', shape: { list: 'Repository' }, gives: LISTS },
    POST: {
      summary: 'Create a repository',
      sends: 'NewRepository',
      shape: 'Repository',
      takes: [FORM, JSON_TYPE],
      gives: [JSON_TYPE],
    },
  },
  [R]: {
    GET: {
      summary: 'The statements; the record as JSON; the timemap as link-format; the answer of a query',
      parameters: ['query', 'revision-id'],
      gives: [...new Set([...STATEMENT_OFFERS, ...QUERY_ANSWERS, JSON_TYPE, 'application/link-format', 'text/html'])],
    },
    POST: SPARQL.POST!,
    DELETE: { summary: 'Delete the repository', status: 200 },
  },
  [`${R}/meta`]: {
    GET: { summary: 'The record of the repository', shape: 'Repository', gives: [JSON_TYPE] },
    PUT: { summary: 'Change the record', sends: 'RepositoryChange', takes: [FORM, JSON_TYPE], status: 200 },
  },
  [`${R}/settings`]: {
    GET: { summary: 'What the owner has set for commits', shape: 'Settings', gives: [JSON_TYPE] },
    PATCH: {
      summary: 'Change some settings; null resets one',
      sends: 'SettingsChange',
      shape: 'Settings',
      takes: [JSON_TYPE],
      gives: [JSON_TYPE],
    },
  },
  [`${R}/audit`]: {
    GET: {
      summary: 'Who has changed the rights of the repository, and removed what cannot come back (owners)',
      shape: { list: 'AuditEntry' },
      parameters: ['limit'],
      gives: [JSON_TYPE],
    },
  },
  [`${R}/erase`]: {
    POST: {
      summary: 'Erase a term, the statements of a pattern, or single statements, from every revision of every branch (owners)',
      sends: 'Erase',
      shape: 'EraseReport',
      takes: [JSON_TYPE],
      gives: [JSON_TYPE],
    },
  },
  [`${R}/fork`]: {
    POST: {
      summary: 'Copy the repository with its history under another name (owners)',
      sends: 'Fork',
      shape: 'Repository',
      takes: [JSON_TYPE],
      gives: [JSON_TYPE],
      status: 201,
    },
  },
  [`${R}/status`]: { GET: { summary: 'The job that was last', shape: 'Job', gives: [JSON_TYPE] } },
  [`${R}/collaborators`]: {
    GET: { summary: 'List the collaborators and their rights', shape: { map: 'Rights' }, gives: [JSON_TYPE] },
  },
  [`${R}/collaborators/:collaborator`]: {
    GET: { summary: 'The rights of a collaborator', shape: 'Rights', gives: [JSON_TYPE] },
    PUT: { summary: 'Set the rights of a collaborator', sends: 'Rights', takes: [JSON_TYPE] },
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
  [`${R}/ldes`]: {
    GET: {
      summary: 'The revisions as a Linked Data Event Stream: what it is, and its first page',
      parameters: ['timeout'],
      gives: STREAMS,
    },
  },
  [`${R}/ldes/:page`]: {
    GET: { summary: 'A page of the event stream: 100 revisions', parameters: ['timeout'], gives: STREAMS },
  },
  [`${R}/digest`]: {
    GET: {
      summary: 'The digest of the history up to a revision, and the hash of its content',
      shape: 'Digest',
      parameters: ['revision-id', 'timeout'],
      gives: [JSON_TYPE],
    },
  },
  [`${R}/schema`]: {
    GET: {
      summary: 'Classes, properties and graphs, with the number of their statements',
      shape: 'Schema',
      parameters: ['revision-id', 'timeout'],
      gives: [JSON_TYPE],
    },
  },
  [`${R}/terms`]: {
    GET: {
      summary: 'The terms of a position, with the number of their statements, the most frequent first',
      shape: { list: 'TermCount' },
      needs: ['position'],
      parameters: ['position', 'prefix', 'limit', 'revision-id', 'timeout'],
      gives: [JSON_TYPE],
    },
  },
  [`${R}/size`]: {
    GET: { summary: 'How many statements there are', parameters: ['context', 'revision-id'], gives: ['text/plain'] },
  },
  [`${R}/sparql`]: SPARQL,
  [`${R}/live`]: {
    GET: {
      summary: 'The answer of a SELECT, and what each revision changes in it: a feed that goes on',
      parameters: ['query', 'since', 'limit', 'timeout'],
      needs: ['query'],
      gives: ['text/event-stream'],
    },
  },
  [`${R}/contexts`]: {
    GET: {
      summary: 'List the named graphs',
      shape: { list: 'Row' },
      parameters: ['revision-id'],
      gives: SELECT_OFFERS,
    },
  },
  [`${R}/namespaces`]: {
    GET: { summary: 'List the prefixes', shape: { map: 'Namespace' }, gives: LISTS },
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
      shape: { list: 'RevisionOrBucket' },
      parameters: [...RANGE, 'author', 'message', 'branches', 'buckets', ...PATTERN, 'graph'],
      gives: [JSON_TYPE, 'application/n-triples', 'text/csv', 'text/plain', 'text/turtle'],
    },
    DELETE: {
      summary: 'Remove old revisions (owners): those before revision-id, unless another parameter keeps them',
      shape: 'TrimReport',
      parameters: ['revision-id', 'last', 'per-day', 'mode', 'dry-run'],
      gives: [JSON_TYPE],
    },
  },
  [`${R}/revisions/:ref`]: {
    GET: {
      summary: 'One revision',
      shape: 'Revision',
      gives: [JSON_TYPE, 'application/n-triples', 'text/csv', 'text/plain', 'text/turtle'],
    },
  },
  [`${R}/revisions/:ref/revert`]: {
    POST: {
      summary: 'Undo a revision by a new one, or tell what that would change',
      gives: DIFFS,
      status: 200,
      also: [204],
      bodyless: true,
      parameters: ['preview', 'message'],
    },
  },
  [`${R}/revisions/:ref/cherry-pick`]: {
    POST: {
      summary: 'Repeat the changes of a revision of another branch',
      sends: 'CherryPick',
      shape: 'Revision',
      takes: [JSON_TYPE],
      bodyless: true,
      gives: [JSON_TYPE],
      parameters: ['message', 'timeout'],
    },
  },
  [`${R}/branches`]: { GET: { summary: 'List the branches', shape: { list: 'Branch' }, gives: [JSON_TYPE] } },
  [`${R}/branches/:name`]: {
    GET: { summary: 'A branch: its newest revision, and where it begins', shape: 'Branch', gives: [JSON_TYPE] },
    PUT: {
      summary: 'Create a branch',
      shape: 'Branch',
      parameters: ['from'],
      takes: ['text/plain'],
      bodyless: true,
      gives: [JSON_TYPE],
      status: 201,
    },
    PATCH: {
      summary: 'Give a branch another name',
      sends: 'BranchName',
      shape: 'Branch',
      takes: [JSON_TYPE],
      gives: [JSON_TYPE],
    },
    DELETE: { summary: 'Delete a branch', parameters: ['force'] },
  },
  [`${R}/branches/:name/merge`]: {
    POST: {
      summary: 'Merge the branch of the path into that of the request, or tell what that would change',
      sends: 'Merge',
      shape: 'RevisionOrPreview',
      takes: [JSON_TYPE],
      bodyless: true,
      gives: [...new Set([JSON_TYPE, ...DIFFS])],
      parameters: ['preview', 'limit', 'message', 'timeout'],
    },
  },
  [`${R}/reset`]: {
    POST: {
      summary: 'Bring back the content of a revision as a new one',
      needs: ['to'],
      bodyless: true,
      parameters: ['to', 'message'],
    },
  },
  [`${R}/blame`]: {
    GET: {
      summary: 'Which revision each statement is from',
      shape: { list: 'Row' },
      parameters: [...PATTERN, 'graph', 'removed', 'revision-id'],
      gives: SELECT_OFFERS,
    },
  },
  [`${R}/changes`]: {
    GET: {
      summary:
        'The revisions after one, with their changes: a feed that goes on, those that there are, or a history file',
      also: [204],
      parameters: ['since', 'limit', 'wait', 'history', 'branches', 'graph', ...PATTERN],
      gives: ['text/event-stream', 'application/rdf-patch'],
    },
    POST: {
      summary: 'Apply a patch as one revision, or append the revisions of a history file',
      also: [200],
      parameters: ['history'],
      takes: ['application/rdf-patch'],
    },
  },
  [`${R}/changes/common`]: {
    POST: {
      summary: 'The head, and the first of some revisions that the repository has',
      sends: 'AskedCommon',
      shape: 'Common',
      takes: [JSON_TYPE],
      gives: [JSON_TYPE],
      status: 200,
    },
  },
  [`${R}/diff`]: {
    GET: {
      summary: 'What differs between two revisions',
      shape: 'Diff',
      parameters: ['from', 'to', 'revision-id', 'summary', 'limit', 'cursor', ...PATTERN],
      gives: DIFFS,
    },
  },
  [`${R}/history`]: {
    GET: {
      summary: 'When statements came and went',
      shape: { list: 'Row' },
      parameters: [...PATTERN, ...RANGE],
      gives: SELECT_OFFERS,
    },
  },
  [`${R}/parse`]: {
    POST: {
      summary: 'What a query or an update says, and all its errors',
      shape: 'Parsed',
      parameters: ['baseURI', 'timeout'],
      takes: ['application/sparql-query', 'application/sparql-update'],
      gives: [JSON_TYPE],
    },
  },
  [`${R}/views`]: { GET: { summary: 'List the views', shape: { list: 'View' }, gives: [JSON_TYPE] } },
  [`${R}/views/:view`]: {
    GET: {
      summary: 'Answer the query of a view, or show it as application/sparql-query',
      parameters: ['timeout', 'revision-id'],
      gives: [...QUERY_ANSWERS, 'application/sparql-query'],
    },
    PUT: {
      summary: 'Keep a query as a view',
      status: 201,
      also: [204],
      takes: ['application/sparql-query', 'text/plain', FORM],
    },
    POST: { summary: 'Not implemented', fails: [501], bodyless: true, status: 501 },
    DELETE: { summary: 'Remove a view' },
  },
  [`${R}/jobs`]: {
    POST: {
      summary: 'Start a check or a compaction as a job (owners)',
      sends: 'Maintenance',
      takes: [JSON_TYPE],
      status: 202,
    },
  },
  [`${R}/refs`]: { GET: { summary: 'List the tags', shape: { map: 'Revision' }, gives: [JSON_TYPE] } },
  [`${R}/refs/:name`]: {
    GET: { summary: 'The revision of a tag', shape: 'Revision', gives: [JSON_TYPE, 'text/plain'] },
    PUT: { summary: 'Set a tag', bodyless: true, also: [204], parameters: ['to'], takes: ['text/plain'], status: 201 },
    DELETE: { summary: 'Remove a tag' },
  },
  [`${R}/transactions`]: { POST: { summary: 'Begin a transaction (RDF4J)', bodyless: true, status: 201 } },
  [`${R}/transactions/:id`]: {
    GET: { summary: 'Read within a transaction', needs: ['action'], parameters: ['action'], gives: QUERY_ANSWERS },
    PUT: {
      summary: 'Act within a transaction, commit it',
      needs: ['action'],
      also: [204],
      bodyless: true,
      parameters: ['action'],
      takes: STATEMENT_OFFERS,
      gives: QUERY_ANSWERS,
    },
    POST: {
      summary: 'Act within a transaction',
      needs: ['action'],
      also: [204],
      bodyless: true,
      parameters: ['action'],
      takes: QUERY_TYPES,
      gives: QUERY_ANSWERS,
    },
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
      also: [202],
      parameters: ['context', ...SKIPPING, ...READING, 'message'],
      takes: [...STATEMENT_OFFERS, FORM, 'multipart/form-data', 'application/sparql-update'],
    },
    PUT: {
      summary: 'Replace statements',
      also: [202],
      parameters: ['context', ...SKIPPING, ...READING, 'message'],
      takes: [...STATEMENT_OFFERS, FORM, 'multipart/form-data'],
    },
    DELETE: { summary: 'Remove statements', parameters: [...PATTERN, 'message'] },
  },
};

/** Lists of parameters that several resources take. */
import type { ParameterName } from './known-parameters.js';

type List = readonly ParameterName[];

/** The type of an answer, for clients that cannot set `Accept`. */
export const ANSWER: List = ['Accept', 'format', 'output', 'results'];

const PATTERN: List = ['subj', 'pred', 'obj', 'context'];

/** A pattern by which revisions are chosen: the graph has two names. */
export const CHANGED: List = [...PATTERN, 'graph'];

export const RANGE: List = ['from', 'until', 'before', 'limit', 'revision-id'];

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
export const ANSWERED: List = [...TEXT, ...SLICE, 'compare', 'explain'];

export const QUERY: List = ['query', ...ANSWERED];

/** An update of a transaction. Some of them are refused with a hint to what an update has in their place. */
const STAGED: List = ['update', ...TEXT, 'using-graph-uri', 'using-named-graph-uri', 'explain', 'message'];

export const UPDATE: List = [...STAGED, 'dry-run'];

export const QUERY_OR_UPDATE: List = [...new Set([...QUERY, ...UPDATE])];

export const LIVE: List = ['query', ...TEXT, 'since', 'limit'];

export const READ: List = [...PATTERN, 'revision-id', ...ANSWER, 'infer', 'user_id', 'timeout'];

export const REMOVE: List = [...PATTERN, 'message', 'user_id', 'infer', 'Accept', 'format', 'timeout'];

/** Of a document that is added, or that replaces what there is. */
export const DOCUMENT: List = ['url', 'context', ...SKIPPING, ...READING, 'message', 'dry-run', 'user_id', 'infer'];

export const DOCUMENT_OR_UPDATE: List = [...new Set([...DOCUMENT, ...UPDATE])];

export const OPERATIONS: List = ['message', 'user_id'];

/** Of a document that becomes a graph. */
export const GRAPH_WRITE: List = [...SKIPPING, ...READING, 'message'];

/** A PATCH of a graph by a document, or of the dataset by an update. */
export const GRAPH_PATCH: List = [...READING, 'message'];

export const GRAPH_UPDATE: List = [...new Set([...GRAPH_PATCH, ...UPDATE])];

/** Of the actions of a transaction. */
export const TRANSACTION: Readonly<Record<string, List>> = {
  ADD: ['action', 'context', ...READING, 'user_id', 'infer'],
  DELETE: ['action', 'context', ...READING, 'user_id', 'infer'],
  GET: ['action', ...READ],
  SIZE: ['action', 'context', 'infer'],
  QUERY: ['action', ...QUERY],
  UPDATE: ['action', ...STAGED],
  PING: ['action'],
  COMMIT: ['action', 'message'],
  ROLLBACK: ['action'],
};

export const ANY_ACTION: List = [...new Set(Object.values(TRANSACTION).flat())];

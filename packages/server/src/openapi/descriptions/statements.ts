/** Descriptions of statements, graphs, tags, views and transactions. */
import { STATEMENT_OFFERS } from '../../documents/media-types.js';
import type { ResourceDescription } from '../operation.js';
import { FORM, JSON_TYPE, QUERY_ANSWERS, QUERY_TYPES, R, STATEMENTS_OR_DIFF } from './common.js';

const GRAPH_STORE: ResourceDescription = {
  GET: { summary: 'Read a graph', gives: STATEMENT_OFFERS },
  PUT: {
    summary: 'Replace a graph',
    also: [201, 202],
    takes: STATEMENT_OFFERS,
  },
  POST: {
    summary: 'Add to a graph',
    also: [201, 202],
    takes: STATEMENT_OFFERS,
  },
  PATCH: { summary: 'Change graphs', takes: STATEMENT_OFFERS },
  DELETE: { summary: 'Remove a graph' },
};

export const STATEMENTS: Readonly<Record<string, ResourceDescription>> = {
  [`${R}/parse`]: {
    POST: {
      summary: 'What a query or an update says, and all its errors',
      shape: 'Parsed',
      takes: ['application/sparql-query', 'application/sparql-update'],
      gives: [JSON_TYPE],
    },
  },
  [`${R}/views`]: { GET: { summary: 'List the views', shape: { list: 'View' }, gives: [JSON_TYPE] } },
  [`${R}/views/:view`]: {
    GET: {
      summary: 'Answer the query of a view, or show it as application/sparql-query',
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
    PUT: { summary: 'Set a tag', bodyless: true, also: [204], takes: ['text/plain'], status: 201 },
    DELETE: { summary: 'Remove a tag' },
  },
  [`${R}/transactions`]: { POST: { summary: 'Begin a transaction (RDF4J)', bodyless: true, status: 201 } },
  [`${R}/transactions/:id`]: {
    GET: { summary: 'Read within a transaction', needs: ['action'], gives: QUERY_ANSWERS },
    PUT: {
      summary: 'Act within a transaction, commit it',
      needs: ['action'],
      also: [204],
      bodyless: true,
      takes: STATEMENT_OFFERS,
      gives: QUERY_ANSWERS,
    },
    POST: {
      summary: 'Act within a transaction',
      needs: ['action'],
      also: [204],
      bodyless: true,
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
    GET: {
      summary: 'Read statements, or what has changed from one revision to another',
      gives: STATEMENTS_OR_DIFF,
    },
    POST: {
      summary: 'Add statements',
      also: [202],
      takes: [...STATEMENT_OFFERS, FORM, 'multipart/form-data', 'application/sparql-update'],
    },
    PUT: {
      summary: 'Replace statements',
      also: [202],
      takes: [...STATEMENT_OFFERS, FORM, 'multipart/form-data'],
    },
    DELETE: { summary: 'Remove statements' },
  },
};

/** Descriptions of a repository as a whole, and its queries. */
import { SELECT_OFFERS } from '../../documents/media-types.js';
import type { ResourceDescription } from '../operation.js';
import { FORM, JSON_TYPE, LISTS, QUERY_ANSWERS, QUERY_TYPES, R, STATEMENTS_OR_DIFF } from './common.js';

const STREAMS = ['application/trig', 'application/n-quads', 'application/ld+json'];

const SPARQL: ResourceDescription = {
  GET: {
    summary: 'Answer a query, or describe the service',
    gives: QUERY_ANSWERS,
  },
  POST: {
    summary: 'Answer a query, or make an update',
    also: [204],
    takes: QUERY_TYPES,
    gives: QUERY_ANSWERS,
  },
};

export const REPOSITORY: Readonly<Record<string, ResourceDescription>> = {
  [R]: {
    GET: {
      summary: 'The statements; the record as JSON; the timemap as link-format; the answer of a query',
      gives: [...new Set([...STATEMENTS_OR_DIFF, ...QUERY_ANSWERS, 'application/link-format', 'text/html'])],
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
      gives: [JSON_TYPE],
    },
  },
  [`${R}/erase`]: {
    POST: {
      summary:
        'Erase a term, the statements of a pattern, or single statements, from every revision of every branch (owners)',
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
    GET: { summary: 'The statements in the format of a file extension', gives: STATEMENTS_OR_DIFF },
  },
  [`${R}/tpf`]: {
    GET: {
      summary: 'Triple Pattern Fragments: the triples of a pattern in pages, with controls',
      gives: ['application/trig', 'application/n-quads', 'text/turtle', 'application/n-triples', 'application/ld+json'],
    },
  },
  [`${R}/ldes`]: {
    GET: {
      summary: 'The revisions as a Linked Data Event Stream: what it is, and its first page',
      gives: STREAMS,
    },
  },
  [`${R}/ldes/:page`]: {
    GET: { summary: 'A page of the event stream: 100 revisions', gives: STREAMS },
  },
  [`${R}/digest`]: {
    GET: {
      summary: 'The digest of the history up to a revision, and the hash of its content',
      shape: 'Digest',
      gives: [JSON_TYPE],
    },
  },
  [`${R}/schema`]: {
    GET: {
      summary: 'Classes, properties and graphs, with the number of their statements',
      shape: 'Schema',
      gives: [JSON_TYPE],
    },
  },
  [`${R}/terms`]: {
    GET: {
      summary: 'The terms of a position, with the number of their statements, the most frequent first',
      shape: { list: 'TermCount' },
      needs: ['position'],
      gives: [JSON_TYPE],
    },
  },
  [`${R}/size`]: {
    GET: { summary: 'How many statements there are', gives: ['text/plain'] },
  },
  [`${R}/sparql`]: SPARQL,
  [`${R}/live`]: {
    GET: {
      summary: 'The answer of a SELECT, and what each revision changes in it: a feed that goes on',
      needs: ['query'],
      gives: ['text/event-stream'],
    },
  },
  [`${R}/contexts`]: {
    GET: {
      summary: 'List the named graphs',
      shape: { list: 'Row' },
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
};

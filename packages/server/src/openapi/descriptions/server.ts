/** Descriptions of the server, its accounts and its jobs. */
import type { ResourceDescription } from '../operation.js';
import { FORM, JSON_TYPE, LISTS } from './common.js';

export const SERVER: Readonly<Record<string, ResourceDescription>> = {
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
    DELETE: { summary: 'Delete an account and its tokens (operators)', fails: [409] },
  },
  '/servers': {
    GET: {
      summary: 'The servers of a shared store: which one writes, and how far each one is',
      shape: { list: 'Server' },
      gives: [JSON_TYPE],
      fails: [404],
    },
  },
  '/audit': {
    GET: {
      summary: 'Who has changed accounts, tokens and rights (operators)',
      shape: { list: 'AuditEntry' },
      gives: [JSON_TYPE],
    },
  },
  '/queries': {
    GET: {
      summary: 'Queries and updates that wait or run: those of the caller, and those in its repositories',
      shape: { list: 'Query' },
      gives: [JSON_TYPE],
    },
    DELETE: { summary: 'Cancel the queries and updates that wait or run' },
  },
  '/queries/:id': {
    GET: { summary: 'One running query', shape: 'Query', gives: [JSON_TYPE] },
    DELETE: { summary: 'Cancel a query' },
  },
  '/jobs': {
    GET: {
      summary: 'List the jobs',
      shape: { list: 'Job' },
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
};

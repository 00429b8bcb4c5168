/** Descriptions of revisions, branches and differences. */
import { SELECT_OFFERS, STATEMENT_OFFERS } from '../../documents/media-types.js';
import type { ResourceDescription } from '../operation.js';
import { DIFFS, JSON_TYPE, R } from './common.js';

export const HISTORY: Readonly<Record<string, ResourceDescription>> = {
  [`${R}/timemap`]: {
    GET: {
      summary: 'All revisions as mementos',
      gives: [...new Set(['application/n-triples', 'application/link-format', JSON_TYPE, ...STATEMENT_OFFERS])],
    },
  },
  [`${R}/timemap/link/:uri`]: {
    GET: { summary: 'The timemap as link-format', gives: ['application/link-format'] },
  },
  [`${R}/timegate`]: { GET: { summary: 'Leads to the revision of Accept-Datetime', status: 302 } },
  [`${R}/timegate/:uri`]: { GET: { summary: 'Leads to the revision of Accept-Datetime', status: 302 } },
  [`${R}/revisions`]: {
    GET: {
      summary: 'List the revisions, those of an author, with a part of a message, or that changed matching statements',
      shape: { list: 'RevisionOrBucket' },
      gives: [JSON_TYPE, 'application/n-triples', 'text/csv', 'text/plain', 'text/turtle'],
    },
    DELETE: {
      summary: 'Remove old revisions (owners): those before revision-id, unless another parameter keeps them',
      shape: 'TrimReport',
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
    },
  },
  [`${R}/branches`]: { GET: { summary: 'List the branches', shape: { list: 'Branch' }, gives: [JSON_TYPE] } },
  [`${R}/branches/:name`]: {
    GET: { summary: 'A branch: its newest revision, and where it begins', shape: 'Branch', gives: [JSON_TYPE] },
    PUT: {
      summary: 'Create a branch',
      shape: 'Branch',
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
    DELETE: { summary: 'Delete a branch' },
  },
  [`${R}/branches/:name/merge`]: {
    POST: {
      summary: 'Merge the branch of the path into that of the request, or tell what that would change',
      sends: 'Merge',
      shape: 'RevisionOrPreview',
      takes: [JSON_TYPE],
      bodyless: true,
      gives: [...new Set([JSON_TYPE, ...DIFFS])],
    },
  },
  [`${R}/reset`]: {
    POST: {
      summary: 'Bring back the content of a revision as a new one',
      needs: ['to'],
      bodyless: true,
    },
  },
  [`${R}/blame`]: {
    GET: {
      summary: 'Which revision each statement is from',
      shape: { list: 'Row' },
      gives: SELECT_OFFERS,
    },
  },
  [`${R}/changes`]: {
    GET: {
      summary:
        'The revisions after one, with their changes: a feed that goes on, those that there are, or a history file',
      also: [204],
      gives: ['text/event-stream', 'application/rdf-patch'],
    },
    POST: {
      summary: 'Apply a patch as one revision, or append the revisions of a history file',
      also: [200],
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
      gives: DIFFS,
    },
  },
  [`${R}/history`]: {
    GET: {
      summary: 'When statements came and went',
      shape: { list: 'Row' },
      gives: SELECT_OFFERS,
    },
  },
};

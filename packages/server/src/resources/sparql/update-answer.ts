/** The answer to an update. */
import { createResultSerializer } from '@quadrille/formats';
import type { Context } from '../../context.js';
import type { Revision } from 'quadrille';
import { entityTag } from '../../message/conditional.js';
import { contentType } from '../../documents/media-types.js';
import { namedTypes } from '../../message/negotiate.js';
import { Reply } from '../../message/reply.js';

/** Types of query results that can express `true`. `application/json` is not one: clients that accept it expect no body. */
const BOOLEAN_TYPES = new Set([
  'application/sparql-results+json',
  'application/sparql-results+xml',
  'text/boolean',
  'text/csv',
  'text/tab-separated-values',
]);

/**
 * The results type that Accept names; `undefined` if there is none. To be called before the update, because it refuses a
 * malformed Accept.
 */
export function updateAnswer(context: Context): string | undefined {
  return namedTypes(context.header('Accept') ?? null).find((type) => BOOLEAN_TYPES.has(type));
}

/** 204, or 200 with `true`. */
export function updated(revision: Revision, answerType: string | undefined): Reply {
  const headers = { ETag: entityTag(revision) };
  if (answerType === undefined) return new Reply(null, { status: 204, headers });
  const body = createResultSerializer(answerType).boolean(true);
  return new Reply(body, { headers: { ...headers, 'Content-Type': contentType(answerType) } });
}

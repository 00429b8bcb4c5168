/** Which requests of a guest change something, and which of them are done once however often they are sent. */

import { READING_CALLS, READING_TOOLS, WRITING_TOOLS } from './protocol.js';

/** Those that the client sends, of the resources with `once`. A test compares the two. */
const ONCE =
  /^\/[^/]+\/[^/]+\/(?:sparql|statements|changes|reset|revisions\/[^/]+\/(?:revert|cherry-pick)|branches\/[^/]+\/merge)$/;
const TRANSACTION = /^\/[^/]+\/[^/]+\/transactions\/[^/]+$/;
const READS = /^application\/sparql-query\b/i;

/** What is known of a request before it is sent. */
export interface Asked {
  readonly method: string;
  /** Without parameters. */
  readonly path: string;
  readonly parameters: URLSearchParams;
  /** Its type. */
  readonly contentType: string | undefined;
}

/** Whether a request changes what is stored. */
export function isWrite({ method, path, parameters, contentType = '' }: Asked): boolean {
  if (method === 'GET' || method === 'HEAD' || path.endsWith('/parse')) return false;
  if (path === READING_CALLS || path === READING_TOOLS) return false;
  if (parameters.has('dry-run') || parameters.has('preview') || path.endsWith('/validate')) return false;
  // What is staged is gone with the holder.
  if (path.endsWith('/transactions')) return false;
  if (TRANSACTION.test(path)) return parameters.get('action') === 'COMMIT';
  return !(method === 'POST' && READS.test(contentType));
}

/** Whether the holder does a request once that has a key. */
export const isDoneOnce = ({ path, parameters }: Asked): boolean =>
  path === WRITING_TOOLS || (TRANSACTION.test(path) ? parameters.get('action') === 'COMMIT' : ONCE.test(path));

/**
 * The data under most keys of a repository never change: blocks of full terms, runs, revision records. A backup relies
 * on that and does not read them again. What changes such data nevertheless first writes this mark.
 */
import type { WriteOp } from '@quadrille/storage';
import { Tag } from '../format/layout.js';
import type { Env } from '../runtime/env.js';
import type { Keyspace } from './keyspace.js';

const MARK_BYTES = 16;

/** Belongs in the batch of the first change, or in one before it. */
export function rewrittenOp(keyspace: Keyspace, env: Env): WriteOp {
  return { type: 'put', key: keyspace.key(Tag.rewritten), value: env.random(new Uint8Array(MARK_BYTES)) };
}

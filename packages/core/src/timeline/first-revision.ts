/** The first revision of a repository, which is empty, and the first manifest. */
import type { WriteOp } from '@quadrille/storage';
import { Tag } from '../format/layout.js';
import { NO_QUADS } from '../index/quad-columns.js';
import type { Keyspace } from '../keyspace/keyspace.js';
import { DIGEST_BYTES } from '../format/digest.js';
import { encodeHead, encodeRecord } from '../revision/record.js';
import { commitFields, NONCE_BYTES } from '../revision/record-fields.js';
import { NO_STATISTICS } from '../index/statistics.js';
import { revisionUuid } from '../revision/uuid.js';
import type { Env } from '../runtime/env.js';
import { encodeManifest } from './manifest.js';

/** The writes that create a repository's data. They belong in the batch of its catalogue record. */
export function firstRevisionOps(keyspace: Keyspace, env: Env): WriteOp[] {
  const time = env.now();
  const body = {
    ...commitFields(env.random(new Uint8Array(NONCE_BYTES))),
    number: 1,
    id: revisionUuid(env, time, undefined),
    parentId: undefined,
    time,
    author: undefined,
    message: undefined,
    addedCount: 0,
    removedCount: 0,
    size: 0,
    termMark: 2,
    added: NO_QUADS,
    removed: { ...NO_QUADS, length: 0, from: new Uint32Array(0) },
    payload: undefined,
    parentDigest: new Uint8Array(DIGEST_BYTES),
  };
  const { bytes, digest } = encodeRecord(body);
  const root = encodeManifest({ flushed: 1, checkpoint: 1, nextRun: 1, runs: [] });
  return [
    { type: 'put', key: keyspace.key(Tag.log, 1), value: bytes },
    { type: 'put', key: keyspace.key(Tag.head), value: encodeHead({ number: 1, digest }) },
    { type: 'put', key: keyspace.key(Tag.root), value: root },
    { type: 'put', key: keyspace.key(Tag.statistics, 1, 0), value: NO_STATISTICS },
  ];
}

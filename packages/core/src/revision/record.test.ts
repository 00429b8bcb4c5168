import { expect, test } from 'vitest';
import { loadDigest } from '../format/digest.js';
import { PART_BYTES } from '../format/layout.js';
import { EndedColumns, NO_QUADS } from '../index/quad-columns.js';
import { decodeRecord, deltaBytesLeft, encodeRecord } from './record.js';

test('a large change leaves room for every field of its record', async () => {
  await loadDigest();
  const most = Number.MAX_SAFE_INTEGER;
  const [id, hash] = [new Uint8Array(16).fill(255), new Uint8Array(32).fill(255)];
  const record = {
    form: 2,
    rewritten: true,
    kind: 'squash',
    since: 0xffffffff,
    number: 0xffffffff,
    id,
    parentId: id,
    mergedParent: id,
    origin: id,
    violations: 0xffffffff,
    nonce: id,
    integrity: { addedCount: most, removedCount: most, size: most, content: hash, chain: hash },
    signature: { keyId: 'k'.repeat(255), bytes: new Uint8Array(64) },
    time: Date.UTC(9999, 11, 31),
    author: '',
    message: '',
    addedCount: most,
    removedCount: most,
    size: most,
    termMark: 0xffffffff,
    added: { ...NO_QUADS, from: new Uint32Array(0) },
    removed: Object.assign(new EndedColumns(), { to: new Uint32Array(0) }),
    payload: { added: [], removed: [] },
    parentDigest: id,
  } as const;
  const { bytes } = encodeRecord(record);
  expect(decodeRecord(bytes)).toMatchObject({ rewritten: true, size: most, since: 0xffffffff });
  expect(bytes.length).toBeLessThanOrEqual(PART_BYTES - deltaBytesLeft(Infinity, 0, {}));
});

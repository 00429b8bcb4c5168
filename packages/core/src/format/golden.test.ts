/** Golden bytes of the values that have no test of their own; docs/reference/file-format.md describes them. */
import { beforeAll, describe, expect, test } from 'vitest';
import { ByteReader, ByteWriter, toHex } from '../format/byte-codec.js';
import { GSPO, POSG, SPOG } from '../index/orders.js';
import { blockTable, decodeBlockTable, encodeBlockTable, readRunEntry, writeRunEntry } from '../index/run/run.js';
import { Digest, loadDigest } from './digest.js';
import { decodeHead, decodeRecord, encodeHead, encodeRecord, toRevision } from '../revision/record.js';
import { commitFields, NO_ATTESTATION, NO_LINEAGE } from '../revision/record-fields.js';
import { decodeManifest, encodeManifest } from '../timeline/manifest.js';
import { baseOfChanges, NO_STATISTICS, Statistics } from '../index/statistics.js';
import { Pacer, platformEnv } from '../runtime/env.js';
import { newKeyspace } from '../testing/fixture.js';
import { trimmedOps } from '../revision/trimmed-numbers.js';

beforeAll(loadDigest);

const filled = (byte: number): Uint8Array => new Uint8Array(16).fill(byte);

const RECORD = {
  form: 1,
  rewritten: false,
  ...NO_LINEAGE,
  ...NO_ATTESTATION,
  number: 2,
  id: Uint8Array.from({ length: 16 }, (_, i) => i),
  parentId: filled(0xaa),
  time: 1_700_000_000_000,
  author: 'a',
  message: undefined,
  addedCount: 2,
  removedCount: 1,
  size: 300,
  termMark: 9,
  added: {
    length: 2,
    s: Uint32Array.of(2, 2),
    p: Uint32Array.of(3, 3),
    o: Uint32Array.of(0xa000_0005, 4),
    g: Uint32Array.of(1, 8),
  },
  removed: {
    length: 1,
    s: Uint32Array.of(5),
    p: Uint32Array.of(3),
    o: Uint32Array.of(6),
    g: Uint32Array.of(1),
    from: Uint32Array.of(200),
  },
  payload: undefined,
  parentDigest: filled(0xbb),
} as const;

const SMALL_RECORD =
  '0102000102030405060708090a0b0c0d0e0f' + // form, number, id
  '01aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' + // parent
  '00008056febc7842' + // time
  '010161' + // author
  '00' + // no message
  '0201ac0209' + // added, removed, size, term mark
  '02' + // two additions, column by column
  '0400' +
  '0600' +
  '8a80808014' +
  '8180808014' +
  '020e' +
  '01' + // one removal
  '0a060c02' +
  'c801' + // from
  '00' + // no payload
  'bb'.repeat(16) +
  '0090937c83ac6d3719e252c77c0f3c6a';

/** The same revision in form 2 of the record, which adds fields after the message and after the payload. */
const NEW_RECORD = { ...RECORD, ...commitFields(filled(0x77)) };

const SMALL_NEW_RECORD =
  '02' +
  SMALL_RECORD.slice(2, SMALL_RECORD.indexOf('0201ac0209')) +
  '000000' + // a commit, no merged parent, no origin
  SMALL_RECORD.slice(SMALL_RECORD.indexOf('0201ac0209'), SMALL_RECORD.indexOf('bb'.repeat(16))) +
  '77'.repeat(16) + // nonce
  '0000' + // no integrity part, no signature
  'bb'.repeat(16) +
  '9dde6fc20bf51e817cf4fea0d61f1cb1';

describe('revision records of form 2', () => {
  test('a small one', () => {
    const { bytes, digest } = encodeRecord(NEW_RECORD);
    expect(toHex(bytes)).toBe(SMALL_NEW_RECORD);
    expect(decodeRecord(bytes)).toEqual({ ...NEW_RECORD, digest });
    expect(encodeRecord(decodeRecord(bytes)).bytes).toEqual(bytes);
  });

  test('one with every field', () => {
    const record = {
      ...NEW_RECORD,
      kind: 'merge' as const,
      mergedParent: filled(0x11),
      origin: filled(0x22),
      violations: 300,
      integrity: {
        addedCount: 300,
        removedCount: 0,
        size: 5,
        content: new Uint8Array(32).fill(0x33),
        chain: new Uint8Array(32).fill(0x44),
      },
      signature: { keyId: 'k1', bytes: new Uint8Array(64).fill(0x55) },
    };
    const { bytes, digest } = encodeRecord(record);
    const hex = toHex(bytes);
    expect(hex).toContain(`0101610009${'01' + '11'.repeat(16)}${'01' + '22'.repeat(16)}ac020201ac0209`);
    expect(hex).toContain(
      `00${'77'.repeat(16)}01ac020005${'33'.repeat(32)}${'44'.repeat(32)}01026b31${'55'.repeat(64)}${'bb'.repeat(16)}`,
    );
    expect(decodeRecord(bytes)).toEqual({ ...record, digest });
    const largest = { ...record, signature: { keyId: 'k'.repeat(100), bytes: new Uint8Array(64) } };
    const plain = encodeRecord({ ...RECORD, author: undefined }).bytes.length;
    // What the sizes of large changes leave for everything but texts, deltas and runs.
    expect(encodeRecord({ ...largest, author: undefined }).bytes.length - plain).toBeLessThan(768 - 256);
  });

  test('as the library shows it', () => {
    const uuid = (digit: number): Uint8Array => {
      const id = filled(digit * 17);
      id[6] = 0x70 + digit;
      id[8] = 0x80 + digit;
      return id;
    };
    const text = (digit: string): string => 'xxxxxxxx-xxxx-7xxx-8xxx-xxxxxxxxxxxx'.replaceAll('x', digit);
    const record = { ...NEW_RECORD, id: uuid(1), parentId: uuid(2), digest: filled(0) };
    expect(toRevision(record)).toMatchObject({ kind: 'commit', parent: text('2'), parents: [text('2')] });
    expect(toRevision(record)).not.toHaveProperty('origin');
    expect(toRevision(record)).not.toHaveProperty('violations');
    expect(toRevision({ ...record, violations: 2 })).toMatchObject({ violations: 2 });
    expect(toRevision({ ...record, parentId: undefined })).toMatchObject({ parent: undefined, parents: [] });
    expect(toRevision({ ...record, kind: 'merge', mergedParent: uuid(3), origin: uuid(4) })).toMatchObject({
      kind: 'merge',
      parents: [text('2'), text('3')],
      origin: text('4'),
    });
  });

  test('every kind, and no other', () => {
    for (const [number, kind] of (['commit', 'merge', 'erase', 'squash'] as const).entries()) {
      const { bytes } = encodeRecord({ ...NEW_RECORD, kind });
      expect(toHex(bytes)).toContain(`01016100${'0' + String(number)}00000201ac0209`);
      expect(decodeRecord(bytes).kind).toBe(kind);
    }
    const unknown = SMALL_NEW_RECORD.replace('000000' + '0201ac0209', '040000' + '0201ac0209');
    const bytes = Uint8Array.from(unknown.match(/../g)!, (byte) => Number.parseInt(byte, 16));
    expect(() => decodeRecord(bytes)).toThrow(expect.objectContaining({ code: 'LOG_BROKEN' }));
  });

  test('any flipped bit and any cut is LOG_BROKEN', () => damaged(encodeRecord(NEW_RECORD).bytes));
});

function damaged(bytes: Uint8Array): void {
  for (let bit = 0; bit < bytes.length * 8; bit += 5) {
    const flipped = bytes.slice();
    flipped[bit >>> 3]! ^= 1 << (bit & 7);
    expect(() => decodeRecord(flipped)).toThrow(expect.objectContaining({ code: 'LOG_BROKEN' }));
  }
  for (let length = 0; length < bytes.length; length++) {
    expect(() => decodeRecord(bytes.slice(0, length))).toThrow(expect.objectContaining({ code: 'LOG_BROKEN' }));
  }
}

describe('revision records of form 1', () => {
  test('a small one', () => {
    const { bytes, digest } = encodeRecord(RECORD);
    expect(toHex(bytes)).toBe(SMALL_RECORD);
    expect(decodeRecord(bytes)).toEqual({ ...RECORD, digest });
  });

  test('one with its payload in runs, and without parent', () => {
    const nothing = {
      length: 0,
      s: new Uint32Array(0),
      p: new Uint32Array(0),
      o: new Uint32Array(0),
      g: new Uint32Array(0),
    };
    const record = {
      ...RECORD,
      parentId: undefined,
      author: undefined,
      message: 'm',
      added: nothing,
      removed: { ...nothing, from: new Uint32Array(0) },
      payload: { added: [{ run: 70, rows: 5000, digest: filled(0xcc) }], removed: [] },
    };
    const { bytes, digest } = encodeRecord(record);
    expect(toHex(bytes)).toBe(
      '0102000102030405060708090a0b0c0d0e0f' +
        '00' +
        '00008056febc7842' +
        '00' +
        '01016d' +
        '0201ac0209' +
        '00' +
        '00' +
        '01' + // payload: one run of additions, none of removals
        '01468827' +
        'cc'.repeat(16) +
        '00' +
        'bb'.repeat(16) +
        'fd7cbba3dcdac8aadce848dc6a8a75ec',
    );
    expect(decodeRecord(bytes)).toEqual({ ...record, digest });
  });

  test('any flipped bit and any cut is LOG_BROKEN', () => damaged(encodeRecord(RECORD).bytes));
});

test('head', () => {
  const bytes = encodeHead({ number: 300, digest: filled(0xdd) });
  expect(toHex(bytes)).toBe(`ac02${'dd'.repeat(16)}`);
  expect(decodeHead(bytes)).toEqual({ number: 300, digest: filled(0xdd) });
});

test('digest: two xxHash64, of seed 0 and of another', () => {
  expect(toHex(new Digest().finish())).toBe('99e9d85137db46ef' + '99925ef644e9aaa7');
  const abc = new Digest().update(Uint8Array.of(0x61)).update(Uint8Array.of(0x62, 0x63));
  expect(toHex(abc.finish())).toBe('990977adf52cbc44' + '147291978f7df10d');
});

test('run entry and root', () => {
  const entry = { id: 300, order: POSG, kind: 'tombstone', rows: 5000, revision: 7, logOwned: false } as const;
  const writer = new ByteWriter();
  writeRunEntry(writer, entry);
  expect(toHex(writer.finish())).toBe('ac02' + '01' + '01' + '8827' + '07' + '00');
  expect(readRunEntry(new ByteReader(writer.finish()))).toEqual(entry);
  const root = {
    flushed: 200,
    checkpoint: 3,
    nextRun: 65,
    runs: [
      { id: 1, order: SPOG, kind: 'live', rows: 2, revision: 9, logOwned: true },
      { id: 2, order: GSPO, kind: 'history', rows: 1, revision: 0, logOwned: false },
    ],
  } as const;
  expect(toHex(encodeManifest(root))).toBe('01' + 'c801' + '03' + '41' + '02' + '010000020901' + '020302010000');
  expect(decodeManifest(encodeManifest(root))).toEqual(root);
});

test('table of a run', () => {
  const table = blockTable(1, new Map([[3, 2]]));
  table.fences.set([5, 6, 7, 1]);
  table.bounds.set([2, 9, 0xffff_ffff, 0xffff_ffff]);
  table.starts.set([0, 2]);
  const hex =
    '01000000' + // blocks
    '05000000060000000700000001000000' + // fences
    '0200000009000000ffffffffffffffff' + // bounds
    '0000000002000000' + // starts
    '01000000' + // distinct: pairs, then predicate and count
    '0300000002000000';
  expect(toHex(encodeBlockTable(table))).toBe(hex);
  expect(decodeBlockTable(encodeBlockTable(table))).toEqual(table);
});

const pacer = new Pacer(platformEnv());

describe('statistics', () => {
  test('golden bytes of a checkpoint', async () => {
    const statistics = new Statistics();
    statistics.predicates.set(3, 200);
    statistics.predicates.set(4, 1);
    statistics.graphs.set(1, 201);
    const encoded = await statistics.encode(pacer);
    expect(toHex(encoded)).toBe('02' + '03c801' + '0401' + '01' + '01c901');
    const decoded = Statistics.decode(encoded);
    expect([[...decoded.predicates], [...decoded.graphs]]).toEqual([[[3, 200], [4, 1]], [[1, 201]]]); // prettier-ignore
    expect(toHex(NO_STATISTICS)).toBe(toHex(await new Statistics().encode(pacer)));
  });

  test('count in and out; what is at zero leaves', async () => {
    const quads = { length: 3, p: Uint32Array.of(3, 3, 4), g: Uint32Array.of(1, 9, 1) };
    const statistics = new Statistics();
    statistics.apply(quads, 1);
    expect([...statistics.predicates]).toEqual([[3, 2], [4, 1]]); // prettier-ignore
    const other = statistics.copy();
    statistics.apply(quads, -1, 1, 2);
    expect([...statistics.graphs]).toEqual([[1, 2]]);
    await other.add(statistics, pacer);
    expect([[...other.predicates], [...other.graphs]]).toEqual([[[3, 3], [4, 2]], [[1, 4], [9, 1]]]); // prettier-ignore
  });

  test('golden bytes of changes', async () => {
    const before = new Statistics();
    for (const id of [3, 4, 300]) before.predicates.set(id, 7);
    before.graphs.set(9, 21);
    const after = before.copy();
    after.predicates.set(3, 200);
    after.predicates.set(300, 0);
    after.graphs.set(70_000, 1);
    const changes = await after.changesSince(before, pacer);
    const encoded = await changes.encode(300, pacer);
    expect(toHex(encoded)).toBe('0001' + 'ac02' + '02' + '03c801' + 'ac0200' + '01' + 'f0a20401');
    expect([changes.entries, baseOfChanges(encoded), baseOfChanges(NO_STATISTICS)]).toEqual([3, 300, undefined]);
    expect(before.decode(encoded)).toBe(3);
    expect([[...before.predicates], [...before.graphs]]).toEqual([[...after.predicates], [...after.graphs]].map((all) => all)); // prettier-ignore
  });
});

describe('revision records that were written anew', () => {
  test('an ordinary one says that it begins at the revision before', () => {
    const { bytes, digest } = encodeRecord({ ...NEW_RECORD, rewritten: true });
    const [before, after] = ['000000', SMALL_RECORD.slice(SMALL_RECORD.indexOf('0201ac0209'), -64)];
    expect(toHex(bytes)).toContain(`${before}00${after}`);
    expect(decodeRecord(bytes)).toEqual({ ...NEW_RECORD, rewritten: true, since: undefined, digest });
  });

  test('a squash has the revisions of its rows', () => {
    const record = {
      ...NEW_RECORD,
      form: 2,
      rewritten: true,
      kind: 'squash',
      since: 1,
      number: 300,
      added: { ...RECORD.added, from: Uint32Array.of(2, 299) },
      removed: { ...RECORD.removed, to: Uint32Array.of(258) },
    } as const;
    const { bytes, digest } = encodeRecord(record);
    const hex = toHex(bytes);
    // The kind, no merged parent, no origin, the base, the counts.
    expect(hex).toContain('03' + '0000' + '01' + '0201ac0209');
    // The end of the removal, where additions begin, where the removal ends, no payload.
    expect(hex).toContain('c801' + '02ab02' + '8202' + '00');
    expect(decodeRecord(bytes)).toEqual({ ...record, digest });
  });
});

test('the numbers of trimmed revisions, with ids and times', async () => {
  const root = await newKeyspace();
  const [op] = trimmedOps(root, [{ number: 258, id: filled(0xaa), time: 1_700_000_000_000 }]);
  expect(op).toMatchObject({ type: 'put' });
  const { key, value } = op as { key: Uint8Array; value: Uint8Array };
  expect(toHex(key)).toBe('10' + '00000007' + '15' + '00000102' + '00000001');
  expect(toHex(value)).toBe('01' + 'aa'.repeat(16) + '00008056febc7842');
});

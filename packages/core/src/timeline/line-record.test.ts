/** Golden bytes of branches, lines, and the index of ids; docs/reference/file-format.md describes them. */
import { expect, test } from 'vitest';
import { toHex } from '../format/byte-codec.js';
import { Tag } from '../format/layout.js';
import { LineKeyspace, revisionIdKey } from '../keyspace/line-keyspace.js';
import { newKeyspace } from '../testing/fixture.js';
import { encodeCopied, positionsOp } from '../branch/copied-revisions.js';
import { decodeBranch, decodeLine, decodePositions, encodeBranch, encodeLine } from './line-record.js';

const id = Uint8Array.from({ length: 16 }, (_, i) => i);

test('a branch and a line', () => {
  const branch = { line: 258, created: 1_700_000_000_000 };
  expect(toHex(encodeBranch(branch))).toBe('01' + '02010000' + '00008056febc7842');
  expect(decodeBranch(encodeBranch(branch))).toEqual(branch);
  const line = { base: 3, fork: 258, forkId: id, materialised: false };
  expect(toHex(encodeLine(line))).toBe('01' + '03000000' + '02010000' + '000102030405060708090a0b0c0d0e0f' + '00');
  expect(decodeLine(encodeLine(line))).toEqual(line);
});

test('what a fast-forward writes beside the records', async () => {
  expect(toHex(encodeCopied({ first: 8, last: 258, origin: 3 }))).toBe('01' + '02010000' + '03000000');
  const root = await newKeyspace();
  expect(toHex(root.key(Tag.copied, 258))).toBe('10' + '00000007' + '1b' + '00000102');
  const positions = [3, 0].map((line) => ({ line, number: 258 }));
  const { value } = positionsOp(root, id, positions) as { value: Uint8Array };
  expect(toHex(value)).toBe('03000000' + '02010000' + '00000000' + '02010000');
});

test('the keys of a line, and what its records write beside the log', async () => {
  const root = await newKeyspace();
  const line = new LineKeyspace(root, root, 258, 9);
  expect(toHex(line.key(Tag.log, 10))).toBe('10' + '00000007' + '1a' + '00000102' + '03' + '0000000a');
  expect(toHex(line.key(Tag.block, 1, 2))).toBe('10' + '00000007' + '1a' + '00000102' + '09' + '00000001' + '00000002');
  expect(toHex(line.key(Tag.head))).toBe('10' + '00000007' + '1a' + '00000102' + '01');
  expect(toHex(line.key(Tag.termBlock, 1, 0))).toBe(toHex(root.key(Tag.termBlock, 1, 0)));
  expect(toHex(line.everything.gte)).toBe('10' + '00000007' + '1a' + '00000102');
  expect(toHex(revisionIdKey(line, id))).toBe('10' + '00000007' + '12' + toHex(id));
  const [record, index] = line.recordOps({ number: 10, id }, Uint8Array.of(1));
  expect(record).toMatchObject({ type: 'put', key: line.key(Tag.log, 10) });
  expect(index).toMatchObject({ type: 'put', key: revisionIdKey(line, id) });
  const { value } = index as { value: Uint8Array };
  expect(toHex(value)).toBe('02010000' + '0a000000');
  expect(decodePositions(value)).toEqual([{ line: 258, number: 10 }]);
  expect([line.at(9) === root, line.at(10) === line]).toEqual([true, true]);
});

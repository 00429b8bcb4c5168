/** Golden bytes of all formats that blob files add. */
import { loadChecksum, toHex } from '@quadrille/storage';
import { describe, expect, it } from 'vitest';
import { BlobLedger, LASTING, PASSING, SEALED } from './blob-ledger.js';
import { decodePointer, encodePointer, LZ4 } from './blob-pointer.js';
import { readRecords, recordHeader } from './blob-record.js';

describe('on disk', () => {
  it('a pointer', () => {
    const pointer = { form: LZ4, file: 3, position: 0x01020304, stored: 500, length: 1000 } as const;
    expect(toHex(encodePointer(pointer))).toBe('02010300000004030201f4010000e8030000');
    expect(decodePointer(encodePointer(pointer))).toEqual(pointer);
  });

  it('a record, whose header fits one file alone', async () => {
    const checksum = await loadChecksum();
    const key = Uint8Array.of(1, 2, 3);
    const header = recordHeader(5, key, 4, checksum);
    expect(toHex(header)).toBe('dd3e21b0030004000000010203');
    const bytes = Uint8Array.of(...header, 9, 9, 9, 9, 0, 0);
    expect(readRecords(5, bytes, 100, checksum)).toEqual({
      records: [{ key, position: 113, stored: 4 }],
      end: 117,
    });
    expect(() => readRecords(6, bytes, 100, checksum)).toThrow('The record at 100 of blob file 6');
  });

  it('the ledger', async () => {
    const checksum = await loadChecksum();
    const ledger = new BlobLedger()
      .with(1, { bytes: 1000, dead: 10, state: SEALED })
      .with(2, { bytes: 200, dead: 0, state: PASSING })
      .with(3, { bytes: 300, dead: 0, state: LASTING });
    expect(toHex(ledger.encode(checksum))).toBe(
      'c99e079d0400000001000000e80300000a0000000002000000c80000000000000001030000002c0100000000000002',
    );
    expect(BlobLedger.decode(ledger.encode(checksum), checksum)).toEqual(ledger);
  });
});

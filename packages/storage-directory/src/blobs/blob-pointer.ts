/**
 * Where a value stands in a blob file. It is what LevelDB has in the place of the value. On disk, frozen, little-endian:
 *
 *     u8   2: what the engine stores begins with the version of its envelope, 1
 *     u8   form: 0 as it is, 1 compressed with LZ4
 *     u32  number of the file
 *     u32  position of its first byte
 *     u32  length in the file
 *     u32  length of the value
 */

import type { Bytes } from '@quadrille/storage';

const POINTER = 2;
export const POINTER_BYTES = 18;

export const PLAIN = 0;
export const LZ4 = 1;
export type BlobForm = typeof PLAIN | typeof LZ4;

export interface BlobPointer {
  readonly form: BlobForm;
  readonly file: number;
  readonly position: number;
  readonly stored: number;
  readonly length: number;
}

/** Whether it is a pointer, or a value that would be taken for one. */
export const isPointer = (bytes: Bytes): boolean => bytes[0] === POINTER;

export function encodePointer({ form, file, position, stored, length }: BlobPointer): Bytes {
  const bytes = new Uint8Array(POINTER_BYTES);
  const view = new DataView(bytes.buffer);
  bytes[0] = POINTER;
  bytes[1] = form;
  view.setUint32(2, file, true);
  view.setUint32(6, position, true);
  view.setUint32(10, stored, true);
  view.setUint32(14, length, true);
  return bytes;
}

/** Of bytes that are one. */
export function decodePointer(bytes: Bytes): BlobPointer {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    form: bytes[1] === LZ4 ? LZ4 : PLAIN,
    file: view.getUint32(2, true),
    position: view.getUint32(6, true),
    stored: view.getUint32(10, true),
    length: view.getUint32(14, true),
  };
}

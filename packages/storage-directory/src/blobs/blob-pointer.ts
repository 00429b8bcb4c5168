/**
 * A pointer to a value in a blob file. The inner driver stores it in place of the value. On disk, frozen,
 * little-endian:
 *
 *      u8   2, which differs from the engine's envelope: that begins with 1
 *      u8   form: 0 unchanged, 1 compressed with LZ4
 *      u32  number of the file
 *      u32  position of the first byte
 *      u32  length in the file
 *      u32  length of the value
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

/** Whether the bytes are a pointer, or a value that looks like one. */
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

/** Decodes bytes for which {@link isPointer} is true. */
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

/** Chunks and pages as they stand in files: how they are packed, and a checksum. */
import type { Checksum } from '@quadrille/storage';

/** Packs bytes, by the deflate of RFC 1951. */
export type Deflate = (bytes: Uint8Array) => Uint8Array;
/** The other way round. */
export type Inflate = (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>;

/** The form of what follows: as it is, or packed. Then four bytes of checksum. */
const PLAIN = 0;
const DEFLATED = 1;
const HEAD_BYTES = 5;

/** Bytes as they are stored: packed where that makes them shorter. */
export function store(bytes: Uint8Array, deflate: Deflate, checksum: Checksum): Uint8Array {
  const deflated = deflate(bytes);
  const isShorter = deflated.length < bytes.length;
  const content = isShorter ? deflated : bytes;
  const stored = new Uint8Array(HEAD_BYTES + content.length);
  stored[0] = isShorter ? DEFLATED : PLAIN;
  new DataView(stored.buffer).setUint32(1, checksum(content));
  stored.set(content, HEAD_BYTES);
  return stored;
}

/** What was stored. @throws RangeError if the bytes are others */
export async function unpack(stored: Uint8Array, inflate: Inflate, checksum: Checksum): Promise<Uint8Array> {
  if (stored.length < HEAD_BYTES || stored[0]! > DEFLATED) throw new RangeError('the bytes have no form that is known');
  const content = stored.subarray(HEAD_BYTES);
  const sum = new DataView(stored.buffer, stored.byteOffset).getUint32(1);
  if (checksum(content) !== sum) throw new RangeError('the bytes do not match their checksum');
  return stored[0] === PLAIN ? content : inflate(content);
}

/** The stream of the platform. */
export async function inflateByStream(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([bytes as Uint8Array<ArrayBuffer>])
    .stream()
    .pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Pieces of an answer of the holder: bytes, or JSON in which times stay times. */
import { unavailable } from './lost.js';

const KINDS = ['bytes', 'progress', 'result', 'error'] as const;
export type FrameKind = (typeof KINDS)[number];

export interface Frame {
  readonly kind: FrameKind;
  readonly bytes: Uint8Array;
}

/** The kind, the length, the bytes. */
const HEAD = 5;
const TIME = '$time';

export function frame(kind: FrameKind, bytes: Uint8Array): Uint8Array {
  const whole = new Uint8Array(HEAD + bytes.length);
  whole[0] = KINDS.indexOf(kind);
  new DataView(whole.buffer).setUint32(1, bytes.length);
  whole.set(bytes, HEAD);
  return whole;
}

/** The frames of a stream. @throws ClientError `STORE_UNAVAILABLE` where it ends within one */
export async function* framesOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Frame> {
  let left = new Uint8Array(0);
  for await (const chunk of stream) {
    const all = new Uint8Array(left.length + chunk.length);
    all.set(left);
    all.set(chunk, left.length);
    left = all;
    for (let size = sizeOf(left); size !== undefined && left.length >= size; size = sizeOf(left)) {
      yield { kind: KINDS[left[0]!]!, bytes: left.slice(HEAD, size) };
      left = left.slice(size);
    }
  }
  if (left.length > 0) throw unavailable('the process that holds the store ended within its answer');
}

function sizeOf(bytes: Uint8Array): number | undefined {
  if (bytes.length < HEAD) return undefined;
  return HEAD + new DataView(bytes.buffer, bytes.byteOffset).getUint32(1);
}

export function encoded(value: unknown): Uint8Array {
  const text = JSON.stringify(value, function (this: Record<string, unknown>, name, each: unknown) {
    const given = this[name];
    return given instanceof Date ? { [TIME]: given.getTime() } : each;
  });
  // A call that gives nothing.
  return new TextEncoder().encode(text ?? '');
}

export function decoded(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return undefined;
  return JSON.parse(new TextDecoder().decode(bytes), (_, each: unknown) =>
    typeof each === 'object' && each !== null && TIME in each ? new Date(each[TIME] as number) : each,
  );
}

/**
 * What differs between Node.js and browsers. `#server-platform` is node.ts, or browser.ts under the condition `browser` of bundlers (`imports`
 * in package.json). The adapter of node:http apart, everything else in this package runs in both.
 */
import type { RdfFormat } from '@quadrille/formats';

/** The same format with a parser whose memory and time have bounds. `always`: for short documents too. */
export type BoundParser = (format: RdfFormat, options?: { readonly always?: boolean }) => RdfFormat;

export type Coding = 'gzip' | 'deflate' | 'br';

/** Bytes that are being unpacked. */
export interface Unpacking {
  /** Fails where the packed bytes are damaged, or their source fails. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Stops, wherever it is. */
  close(): void;
}

export interface Codecs {
  /** Codings of replies, the best first. */
  readonly packs: readonly Coding[];
  /** Codings of requests by their names in `Content-Encoding`. */
  readonly unpacks: readonly string[];
  /** `onBytes` gets the length of each packed chunk before it is unpacked. */
  unpack(body: AsyncIterable<Uint8Array>, coding: string, onBytes: (bytes: number) => void): Unpacking;
  packWhole(body: string | Uint8Array, coding: Coding): Promise<Uint8Array>;
  /** Cancelling the stream cancels `body`. What a slow body has given is sent before its next chunk. */
  packStream(body: ReadableStream<Uint8Array>, coding: Coding): ReadableStream<Uint8Array>;
}

/** Delays of timers in seconds, since the previous look. */
export interface LoopDelays {
  read(percentiles: readonly number[]): readonly number[];
}

/** Of the process that serves. */
export interface ProcessFigures {
  readonly residentBytes: number;
  readonly heapBytes: number;
  readonly cpuSeconds: number;
}

export interface Process {
  /** Begins to measure. */
  watchDelays(): LoopDelays;
  figures(): ProcessFigures;
}

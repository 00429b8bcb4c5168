/** What the two threads say to each other. Only values that can be cloned. */
import { EvaluationError, ParseError } from '@quadrille/model';
import type { ParsePosition } from '@quadrille/model';
import type { JsonLdOptions } from '../json-ld-options.js';
import type { ParserLimits, ReadSoFar } from '../parser.js';

/** What a parsing thread is started with. */
export interface ThreadOptions {
  /** Name of the format. */
  readonly format: string;
  /** Address of the module that exports the format, where the thread may not know it. */
  readonly module: string | undefined;
  readonly source: string | undefined;
  readonly baseIRI: string | undefined;
  readonly limits: ParserLimits | undefined;
  readonly jsonLd: JsonLdOptions | undefined;
  readonly readSoFar: ReadSoFar | undefined;
  /** Whether contexts may be asked for. */
  readonly canLoad: boolean;
  /** Whether the thread stands back behind all others. */
  readonly background: boolean;
  /** Number of batches that were taken, for the thread to wait on. */
  readonly taken: Int32Array;
}

export type ToThread =
  | { readonly type: 'push'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly type: 'end' }
  /** Memory of a batch that was taken, to be used again. */
  | { readonly type: 'spare'; readonly buffer: ArrayBuffer }
  | { readonly type: 'document'; readonly url: string; readonly text: Uint8Array | string }
  | { readonly type: 'noDocument'; readonly url: string; readonly reason: string };

export type FromThread =
  /** The parser is there. */
  | { readonly type: 'ready' }
  /** A `push` is done, and its memory free; or the `end`. */
  | { readonly type: 'done'; readonly bytes?: Uint8Array<ArrayBuffer> }
  | { readonly type: 'batch'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly type: 'load'; readonly url: string }
  | {
      readonly type: 'failed';
      readonly reason: string;
      readonly position: ParsePosition | undefined;
      /** The document that could not be loaded, where that is the cause. */
      readonly url: string | undefined;
    };

/** How many batches may be under way. */
export const WINDOW = 32;

/** A document that the other thread could not load. */
export class NoDocument extends Error {
  constructor(
    readonly url: string,
    reason: string,
  ) {
    super(reason);
  }
}

export function failureOf(error: unknown): FromThread {
  if (error instanceof ParseError) {
    const { source, line, column, offset, cause } = error;
    const url = cause instanceof NoDocument ? cause.url : undefined;
    return { type: 'failed', reason: error.reason, position: { source, line, column, offset }, url };
  }
  const reason = error instanceof Error ? error.message : String(error);
  return { type: 'failed', reason, position: undefined, url: undefined };
}

/** The error that a thread reported. One that is none of the document is a fault of ours. */
export function errorOf({ reason, position }: FromThread & { type: 'failed' }, cause: unknown): Error {
  if (position === undefined) return new EvaluationError('UNSUPPORTED', `the document could not be parsed: ${reason}`);
  return new ParseError('RDF_SYNTAX', reason, position, cause === undefined ? {} : { cause });
}

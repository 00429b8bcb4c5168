/** The messages between the two threads. All values can be cloned. */
import { EvaluationError, FetchError, ParseError } from '@quadrille/model';
import type { ParsePosition } from '@quadrille/model';
import { contextFailure } from '../context-failure.js';
import type { JsonLdOptions } from '../json-ld-options.js';
import type { DroppedStatement, ParserLimits, ReadSoFar } from '../parser.js';

/** The options of a parsing thread. */
export interface ThreadOptions {
  /** Name of the format. */
  readonly format: string;
  /** URL of the module that exports the format, for formats that the thread may not know. */
  readonly module: string | undefined;
  readonly source: string | undefined;
  readonly baseIRI: string | undefined;
  readonly limits: ParserLimits | undefined;
  readonly jsonLd: JsonLdOptions | undefined;
  readonly readSoFar: ReadSoFar | undefined;
  /** Whether the thread may request contexts. */
  readonly canLoad: boolean;
  /** Whether faults are told, and the parser goes on. */
  readonly skips: boolean;
  /** Whether what is no RDF is told. */
  readonly tellsDropped: boolean;
  /** Whether the thread has a low priority. */
  readonly background: boolean;
  /** Number of batches that were consumed. The thread waits on it. */
  readonly taken: Int32Array;
}

export type ToThread =
  | { readonly type: 'push'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly type: 'end' }
  /** Memory of a consumed batch, for reuse. */
  | { readonly type: 'spare'; readonly buffer: ArrayBuffer }
  | { readonly type: 'document'; readonly url: string; readonly text: Uint8Array | string }
  | { readonly type: 'noDocument'; readonly url: string; readonly reason: string };

export type FromThread =
  /** The parser is ready. */
  | { readonly type: 'ready' }
  /** A `push` is done and its memory can be reused, or the `end` is done. */
  | { readonly type: 'done'; readonly bytes?: Uint8Array<ArrayBuffer> }
  | { readonly type: 'batch'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly type: 'load'; readonly url: string }
  | { readonly type: 'dropped'; readonly dropped: readonly DroppedStatement[] }
  | { readonly type: 'fault'; readonly reason: string; readonly position: ParsePosition; readonly text: string }
  | {
      readonly type: 'failed';
      readonly reason: string;
      readonly position: ParsePosition | undefined;
      /** The address of the context that could not be loaded, if that is the reason. */
      readonly context: string | undefined;
    };

/** Number of batches that may wait to be consumed. */
export const WINDOW = 32;

export function faultOf({ reason, source, line, column, offset }: ParseError, text: string): FromThread {
  return { type: 'fault', reason, position: { source, line, column, offset }, text };
}

export function failureOf(error: unknown): FromThread {
  if (error instanceof ParseError) {
    const { source, line, column, offset } = error;
    return { type: 'failed', reason: error.reason, position: { source, line, column, offset }, context: undefined };
  }
  const reason = error instanceof Error ? error.message : String(error);
  const address = error instanceof FetchError ? error.details['address'] : undefined;
  return { type: 'failed', reason, position: undefined, context: address === undefined ? undefined : String(address) };
}

/**
 * The error that a thread reported. An error without a position and a context is an internal one, not a fault of the document.
 * @param source the name of the document
 * @param loadErrors why contexts could not be loaded, by their addresses
 */
export function errorOf(
  { reason, position, context }: FromThread & { type: 'failed' },
  source: string | undefined,
  loadErrors: ReadonlyMap<string, unknown>,
): Error {
  if (context !== undefined) return contextFailure(context, source, loadErrors.get(context));
  if (position === undefined) return new EvaluationError('UNSUPPORTED', `the document could not be parsed: ${reason}`);
  return new ParseError('RDF_SYNTAX', reason, position);
}

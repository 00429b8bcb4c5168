/** What the two threads say to each other. Only values that can be cloned. */
import type { ParserLimits } from '@quadrille/formats';
import { EvaluationError, ParseError } from '@quadrille/model';
import type { ParsePosition } from '@quadrille/model';

/** What a parsing thread is started with. */
export interface ThreadOptions {
  /** Name of the format. */
  readonly format: string;
  readonly source: string | undefined;
  readonly baseIRI: string | undefined;
  readonly limits: ParserLimits | undefined;
  /** Whether contexts may be asked for. */
  readonly canLoad: boolean;
  /** Number of batches that were taken, for the thread to wait on. */
  readonly taken: Int32Array;
}

export type ToThread =
  | { readonly type: 'push'; readonly bytes: Uint8Array }
  | { readonly type: 'end' }
  | { readonly type: 'document'; readonly url: string; readonly text: Uint8Array | string }
  | { readonly type: 'noDocument'; readonly url: string; readonly reason: string };

export type FromThread =
  /** The parser is there. */
  | { readonly type: 'ready' }
  /** The last `push` or `end` is done. */
  | { readonly type: 'done' }
  | { readonly type: 'batch'; readonly bytes: Uint8Array }
  | { readonly type: 'load'; readonly url: string }
  | { readonly type: 'failed'; readonly reason: string; readonly position: ParsePosition | undefined };

/** How many batches may be under way. */
export const WINDOW = 4;

export function failureOf(error: unknown): FromThread {
  if (error instanceof ParseError) {
    const { source, line, column, offset } = error;
    return { type: 'failed', reason: error.reason, position: { source, line, column, offset } };
  }
  return { type: 'failed', reason: error instanceof Error ? error.message : String(error), position: undefined };
}

/** The error that a thread reported. One that is none of the document is a fault of ours. */
export function errorOf({ reason, position }: FromThread & { type: 'failed' }): Error {
  if (position === undefined) return new EvaluationError('UNSUPPORTED', `the document could not be parsed: ${reason}`);
  return new ParseError('RDF_SYNTAX', reason, position);
}

/** The messages between the main thread and a query thread. All values can be cloned. */
import type { SessionDescription } from '@quadrille/core/share';
import type { AnswerPiece, EvaluationOptions, SentTemplate, SentTerm } from '@quadrille/sparql';
import type { SentError } from './sent-errors.js';

/** The start data of a thread. */
export interface ThreadData {
  /** Name of the storage, for error messages. */
  readonly storage: string;
  readonly cacheBytes: number;
  /** Memory in which values are read: see read-channel.ts. */
  readonly reads: SharedArrayBuffer;
  /** The limits that all threads share, and their counts of bytes. `slot` is the index of this thread. */
  readonly columnBytes: number;
  readonly valueBytes: number;
  readonly columnCounts: Int32Array;
  readonly valueCounts: Int32Array;
  readonly slot: number;
}

type SentOptions = Pick<
  EvaluationOptions,
  'prefixes' | 'baseIRI' | 'defaultGraphUris' | 'namedGraphUris' | 'unionDefaultGraph' | 'memoryBytes' | 'maxRows'
>;

export interface QueryMessage {
  readonly type: 'query';
  readonly session: SessionDescription;
  readonly request: SentTemplate;
  readonly bindings: Readonly<Record<string, SentTerm>> | undefined;
  readonly options: SentOptions;
  readonly mediaType: string;
  /** Prefixes of the document. */
  readonly prefixes: Readonly<Record<string, string>>;
}

export type ToThread =
  | QueryMessage
  /** The reader has taken a piece. */
  | { readonly type: 'taken' }
  | { readonly type: 'cancel' }
  | { readonly type: 'statistics'; readonly bytes: Uint8Array }
  | { readonly type: 'noStatistics'; readonly error: SentError };

export type FromThread =
  | { readonly type: 'ready' }
  /** The thread waits until the value of a key is in the shared memory. */
  | { readonly type: 'read' }
  | { readonly type: 'statistics' }
  | { readonly type: 'piece'; readonly piece: AnswerPiece }
  | { readonly type: 'end' }
  | { readonly type: 'failed'; readonly error: SentError };

/** Pieces of an answer that may wait for their reader. */
export const PIECES_AHEAD = 2;

/** Queries that somebody else runs, for example another thread: what the engine offers, and what it gets back. */
import type { LazySequence } from '@quadrille/model';
import type { QueryKind } from '../algebra/request.js';
import type { EvaluationControl } from '../control/control.js';
import type { EvaluationOptions } from './options.js';
import type { SparqlRequest } from './prepare.js';

/** A planned query that needs no function of the caller and no other host. */
export interface OfferedQuery {
  /** Its form. */
  readonly kind: QueryKind;
  /** The text or the template. */
  readonly request: SparqlRequest;
  /** With the limits of the engine. */
  readonly options: EvaluationOptions;
  /** Ends the query. Whoever takes it listens. */
  readonly control: EvaluationControl;
  /** About how long it takes, by its plan. */
  readonly costMs: number;
}

/** A part of an answer as text. */
export interface AnswerPiece {
  /** The text. */
  readonly text: string;
  /** Rows since the piece before. */
  readonly rows: number;
  /** Processor time since the piece before, in milliseconds. */
  readonly busyMs: number;
}

/** An answer that is made elsewhere. It begins with the first read. */
export interface TakenQuery extends LazySequence<AnswerPiece> {
  /** What it keeps at present, in bytes. */
  readonly memory: {
    /** Bytes. */
    readonly used: number;
  };
}

/** Takes a query, or leaves it to the engine. */
export type Elsewhere = (query: OfferedQuery) => TakenQuery | undefined;

/** The answer of a query that was taken. */
export interface WrittenAnswer {
  /** Tells it from an answer as values. */
  readonly type: 'document';
  /** The document, in pieces of text. */
  readonly pieces: LazySequence<string>;
}

/** What the compiler makes of each part of an expression, and the helpers that every special form uses. */
import type * as RDF from '@rdfjs/types';
import type { Expression } from '../algebra/algebra.js';
import { tooLong } from '../control/value-memory.js';
import type { Extension, ExtensionCalls } from './extension-functions.js';
import { ERROR, type Value } from './values/value.js';

/** A solution, as the engine hands it in: the values of its columns. */
export interface Row {
  value(slot: number): Value | undefined;
}

export type Evaluate = (row: Row) => Value;

/** Counts texts before they are built. */
export interface TextCount {
  /**
   * Counts a text, or the next part of one that will be as long as `whole`.
   * @throws EvaluationError `QUERY_MEMORY`
   */
  reserveText(length: number, whole?: number): void;
}

/** What an expression may ask of the query that it stands in. */
export interface ExpressionContext {
  /** The column of a variable; undefined for one that is never bound here. */
  slotOf(variable: string): number | undefined;
  /** Constants go through it: parameters of prepared queries. */
  resolve?(term: RDF.Term): RDF.Term;
  readonly baseIRI: string | undefined;
  /** One time for the whole query. */
  readonly now: Date;
  /** BNODE() */
  newBlankNode(): RDF.BlankNode;
  /** From 0 up to and without 1. */
  random(): number;
  /** A new UUID in lower case, without `urn:uuid:`. */
  uuid(): string;
  /** Counts the texts that functions build. Without it only the longest text has a limit. */
  readonly texts?: TextCount | undefined;
  /** A function that the embedder added, by its IRI. */
  extension?(iri: string): Extension | undefined;
  /** The calls of such functions, and of others that the evaluation waits for. */
  readonly calls?: ExtensionCalls | undefined;
  /** Gives the event loop its turn when its time has come. Without it long work is done at once. */
  pause?(): Promise<void> | undefined;
}

/** Characters of a text where nobody counts them: far below what the platform can hold, so that none of its errors gets out. */
const MOST_CHARACTERS = 16 * 1024 ** 2;

const UNCOUNTED: TextCount = {
  reserveText(length, whole = length) {
    if (whole > MOST_CHARACTERS) throw tooLong(MOST_CHARACTERS);
  },
};

export const textsOf = ({ texts }: ExpressionContext): TextCount => texts ?? UNCOUNTED;

/** A compiled part: its evaluation, and its value where that is the same for every solution. */
export interface ExpressionNode {
  readonly evaluate: Evaluate;
  readonly constant: Value | undefined;
}

/** What is collected on the way, and how parts are compiled. */
export interface Compilation {
  readonly context: ExpressionContext;
  readonly slots: Set<number>;
  volatile: boolean;
  waits: boolean;
  compile(expression: Expression): ExpressionNode;
}

export const constantNode = (value: Value): ExpressionNode => ({ evaluate: () => value, constant: value });
export const variableNode = (evaluate: Evaluate): ExpressionNode => ({ evaluate, constant: undefined });
export const ERROR_NODE = constantNode(ERROR);

export const NO_ROW: Row = { value: () => undefined };

/** Evaluates once what depends on constants alone. */
export const foldNode = (parts: readonly ExpressionNode[], evaluate: Evaluate): ExpressionNode =>
  parts.every(({ constant }) => constant !== undefined) ? constantNode(evaluate(NO_ROW)) : variableNode(evaluate);

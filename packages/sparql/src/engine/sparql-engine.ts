/** The interface of an engine: what the library calls. */
import type * as RDF from '@rdfjs/types';
import type { LazySequence } from '@quadrille/model';
import type { QueryableDataset, WritableDataset } from '../dataset/dataset.js';
import type { EvaluationOptions } from './options.js';
import type { SparqlRequest } from './prepare.js';

/** Solutions as columns of ids, for those who write them out without making a row of each. */
export interface IdSolutions {
  /** `columns[i][row]` is the id of variable i, 0 where it is unbound. Once. */
  batches(): LazySequence<{
    /** A column for each variable. */
    readonly columns: readonly Uint32Array[];
    /** Number of rows. */
    readonly length: number;
  }>;
  /** The term of an id. A promise only where something has to be fetched. */
  term(id: number): RDF.Term | Promise<RDF.Term>;
}

/**
 * The answer of a query. The iterables are lazy (nothing is read before they are iterated), run once, and free what they hold
 * when they are left; a failure comes through them. Iterate only one of those that an answer has.
 */
export type SparqlAnswer =
  | {
      /** The answer of a SELECT. */
      readonly type: 'bindings';
      /** The columns, in the order of the query. */
      readonly variables: readonly string[];
      /** Rows in batches. Unbound variables have no member. */
      readonly batches: AsyncIterable<readonly Record<string, RDF.Term>[]>;
      /** The same rows by ids, where they come from the evaluator in id space. */
      readonly ids?: IdSolutions | undefined;
    }
  | {
      /** The answer of a CONSTRUCT or DESCRIBE. */
      readonly type: 'quads';
      /** The triples in batches, each once. */
      readonly batches: AsyncIterable<readonly RDF.Quad[]>;
    }
  | {
      /** The answer of an ASK. */
      readonly type: 'boolean';
      /** Whether there is a solution. */
      readonly value: boolean;
    };

/**
 * How a request would run, or has run.
 * @since 0.1.0
 */
export interface Explanation {
  /** The evaluator that runs it: `'native'` in the library. */
  readonly evaluator: 'native' | 'comunica';
  /** For a person. */
  readonly text: string;
  /** The plan as plain JSON. */
  readonly plan: unknown;
}

/** Options of `explain`. */
export interface ExplainOptions extends EvaluationOptions {
  /** Whether to run the query as well, for the rows and times that it really has. */
  readonly analyze?: boolean | undefined;
}

/** What evaluates queries and updates. */
export interface SparqlEngine {
  /**
   * Evaluates a query over one state. A promise only where something has to be waited for before the answer can be read.
   * @throws ParseError `SPARQL_SYNTAX`, InvalidArgumentError, EvaluationError
   */
  query(
    request: SparqlRequest,
    dataset: QueryableDataset,
    options?: EvaluationOptions,
  ): SparqlAnswer | Promise<SparqlAnswer>;
  /**
   * Runs an update on a staged transaction. After an error the transaction is half done, and the caller must drop it.
   * @throws ParseError `SPARQL_SYNTAX`, InvalidArgumentError, EvaluationError, NotFoundError
   */
  update(request: SparqlRequest, dataset: WritableDataset, options?: EvaluationOptions): Promise<void>;
  /**
   * How a query would run.
   * @throws ParseError `SPARQL_SYNTAX`, InvalidArgumentError (for an update too), EvaluationError
   */
  explain(request: SparqlRequest, dataset: QueryableDataset, options?: ExplainOptions): Promise<Explanation>;
}

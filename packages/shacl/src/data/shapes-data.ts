/** The data graph as the validation reads it: terms are numbers, and equal terms have equal numbers. */
import type * as RDF from '@rdfjs/types';
import type { PreboundQuery } from '@quadrille/sparql/prebound';
import type { Steps } from '../steps.js';

/** Nodes one after the other. */
export interface NodeCursor {
  /** The next nodes, some thousand at most; none at the end. */
  next(): Steps<readonly number[]>;
  /** Lets go of what it holds. */
  close(): void;
}

/** A list of nodes for each of some nodes, as columns. */
export interface NodeLists {
  /** The nodes of all lists, one after the other. */
  readonly values: readonly number[];
  /** Where the list of each node ends. */
  readonly ends: readonly number[];
}

/** The edges that leave a node: predicates and objects, pairwise. */
export interface Edges {
  /** Predicates. */
  readonly predicates: readonly number[];
  /** Objects. */
  readonly objects: readonly number[];
}

/** A query of the shapes, as errors name it. */
export interface ShapesQuery {
  /** What is asked. */
  readonly query: PreboundQuery;
  /** The shape that it belongs to. */
  readonly owner: RDF.Term;
}

/** Rows of values that a query is asked for at once. */
export const ROWS_AT_ONCE = 1000;

/** A solution of a query of the shapes. */
export interface Solution {
  /** Index of the row of values that it is for. */
  readonly row: number;
  /** Its terms by variable. */
  readonly terms: Readonly<Record<string, RDF.Term>>;
}

/** A graph of numbered terms. Every list has each node once. */
export interface ShapesData {
  /** The number of a term; 0 if no triple has it. */
  find(term: RDF.Term): Steps<number>;
  /** The number of the triple term of three numbers; 0 if no triple has it. */
  triple(subject: number, predicate: number, object: number): Steps<number>;
  /** The term of a number. */
  term(node: number): Steps<RDF.Term>;
  /** The term of a number, if it is in memory. */
  tryTerm(node: number): RDF.Term | undefined;
  /** The type of the term of a number, if it is known without the term. */
  tryType(node: number): RDF.Term['termType'] | undefined;
  /**
   * For each of some predicates the objects of each node. With `back` the subjects of each node, which is the object then.
   * @param predicates only one with `back`
   * @param nodes in ascending order, each once
   */
  lists(nodes: readonly number[], predicates: readonly number[], back: boolean): Steps<readonly NodeLists[]>;
  /** The objects of a subject and a predicate. */
  objects(subject: number, predicate: number): Steps<readonly number[]>;
  /** The subjects of a predicate and an object. */
  subjects(predicate: number, object: number): Steps<readonly number[]>;
  /** Whether there is a triple; 0 stands for any term. */
  has(subject: number, predicate: number, object: number): Steps<boolean>;
  /** The edges that leave a node. */
  edges(subject: number): Steps<Edges>;
  /** All subjects of a predicate and an object; 0 is any object. A node may come twice. */
  openSubjects(predicate: number, object: number): NodeCursor;
  /** All objects of a predicate. A node may come twice. */
  openObjects(predicate: number): NodeCursor;
  /**
   * The solutions of a query for each of the rows of nodes, which are values of `names`. For an ASK each row has one solution or none.
   * @throws ShapesError `SHAPES_TIMEOUT`, `SHAPES_INVALID`; EvaluationError `QUERY_MEMORY`
   */
  solutions(
    query: ShapesQuery,
    names: readonly string[],
    rows: readonly (readonly number[])[],
  ): Steps<readonly Solution[]>;
  /** The values of a variable in all solutions of a query. A node may come twice. */
  openSolutions(query: ShapesQuery, name: string): NodeCursor;
  /** A promise if other work has waited long enough. */
  pause(): Promise<void> | undefined;
}

/** What walks over the algebra ask of a kind of operation. Each kind has one record; a walk goes over the inputs and asks it. */
import type * as RDF from '@rdfjs/types';
import type { Expression, Operation, Path, Pattern } from '../algebra.js';

export type OperationType = Operation['type'];
export type OperationOf<T extends OperationType> = Operation & { readonly type: T };
type Names = ReadonlySet<string>;

export interface OperationRecord<T extends OperationType = OperationType> {
  /** What a person calls it. */
  readonly called: string;
  /**
   * What makes a solution: one of each input, one of any input, or one of the first input, whose other inputs are evaluated beside it.
   * `none`: solutions are not those of inputs.
   */
  readonly from: 'each' | 'any' | 'first' | 'none';
  /** The variables that it binds beside those of its first input, by those of all inputs. Default: none. */
  binds?(node: OperationOf<T>, inputs: readonly Names[]): Names;
  /** The variables that a solution may have. Default: those of the first input, and those that it binds. */
  visible?(node: OperationOf<T>, inputs: readonly Names[]): Names;
  /** The variables that every solution has, by those of the inputs. Default: those of the first input. */
  certain?(node: OperationOf<T>, inputs: readonly Names[]): Names;
  /** Whether solutions are told apart by the variables that they have: then values do not take the place of variables. */
  readonly comparesVariables?: true;
  /** The same where each solution of its inputs has the graph in this column. Default: it hands the column on. */
  withColumn?(node: OperationOf<T>, column: RDF.Variable): Operation;
  /** Which conditions mean the same below it, by their variables; `undefined`: none. Default: all, but of `each` and `none` no one. */
  passes?(node: OperationOf<T>): ((names: Names) => boolean) | undefined;
  /** How it is written in a group. Default: as a sub-select. */
  text?(node: OperationOf<T>, writer: TextWriter): string;
  /** Whether the text is one element, which can stand behind others. */
  readonly isElement?: true;
}

/** What the parts of the writer of SPARQL text use of one another. */
export interface TextWriter {
  /**
   * A term that stands for itself.
   * @throws EvaluationError `UNSUPPORTED` for one that no text can hold, such as a stored blank node
   */
  term(term: RDF.Term): string;
  /** What stands between the braces of a group. */
  group(operation: Operation): string;
  /** The operation as the beginning of a group that goes on. */
  elements(operation: Operation): string;
  /** The operation as one element of a group. */
  element(operation: Operation): string;
  expression(expression: Expression): string;
  pattern(pattern: Pattern): string;
  path(path: Path): string;
}

/** All kinds of a family. */
export type Family<T extends OperationType> = { readonly [K in T]: OperationRecord<K> };

export const namesOf = (variables: readonly RDF.Variable[]): string[] => variables.map(({ value }) => value);

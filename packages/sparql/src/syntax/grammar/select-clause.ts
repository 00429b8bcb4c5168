/** The columns of a SELECT, and the rules on their variables (SPARQL 1.2, sections 16.1.2 and 19.8). */
import type * as RDF from '@rdfjs/types';
import type { Expression } from '../../algebra/algebra.js';
import type { Mention } from './expression-parser.js';

export interface Column {
  readonly variable: RDF.Variable;
  /** Where its name stands; of an expression without a name, where that begins. */
  readonly offset: number;
  readonly expression?: Expression;
  /** The variables of the expression outside of aggregates. */
  readonly mentions: readonly Mention[];
  /** Whether the text has no name for it. */
  readonly isNameless?: boolean;
}

export interface SelectClause {
  readonly unique: 'distinct' | 'reduced' | undefined;
  /** `undefined` for `*`. */
  readonly columns: readonly Column[] | undefined;
  readonly offset: number;
}

/** A rule that a text breaks, and where. */
export interface Breach {
  readonly message: string;
  readonly offset: number;
}

/**
 * The first column that names a variable which is there already. A variable may stand twice, but not beside an expression that is
 * called by its name; and an expression cannot be called by a name that the pattern binds.
 */
export function findBoundAgain(columns: readonly Column[], bound: ReadonlySet<string>): Breach | undefined {
  for (const { variable, expression, offset, isNameless } of columns) {
    if (expression !== undefined && isNameless !== true && bound.has(variable.value)) {
      return { message: boundAgain(variable.value), offset };
    }
  }
  return undefined;
}

export const boundAgain = (name: string): string =>
  `the variable ?${name} is bound already, and cannot be bound again by AS`;

/** The first variable of a column that is neither grouped nor an expression before. */
export function findUngrouped(columns: readonly Column[], grouped: ReadonlySet<string>): Breach | undefined {
  const known = new Set(grouped);
  for (const { variable, expression, mentions, offset } of columns) {
    const mentioned = expression === undefined ? [{ name: variable.value, offset }] : mentions;
    for (const { name, offset: place } of mentioned) {
      if (!known.has(name)) return { message: ungrouped(name), offset: place };
    }
    known.add(variable.value);
  }
  return undefined;
}

const ungrouped = (name: string): string =>
  `the variable ?${name} is selected but not grouped: add it to GROUP BY, or use an aggregate such as SAMPLE(?${name})`;

/** The columns of a clause. `SELECT ?s ?s` has one. */
export class Columns {
  readonly #byName = new Map<string, Column>();

  /** Adds a column; gives the breach where two have the same name, and one of them by AS. */
  add(column: Column): Breach | undefined {
    const { variable, expression, offset } = column;
    const same = this.#byName.get(variable.value);
    if (same === undefined) this.#byName.set(variable.value, column);
    else if (expression !== undefined || same.expression !== undefined) {
      const message = `SELECT has a second column ?${variable.value}, and one of them is named by AS`;
      return { message, offset: expression === undefined ? same.offset : offset };
    }
    return undefined;
  }

  get all(): readonly Column[] {
    return [...this.#byName.values()];
  }
}

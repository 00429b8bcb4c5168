/** The request of a SERVICE, which is its pattern as text with the tuples to answer, and the answer by ids. */
import type * as RDF from '@rdfjs/types';
import type { ServicePlan } from '../../plan/plan.js';
import { patternText, writableTerm } from '../../syntax/write/algebra-text.js';
import type { Execution } from '../../execute/core/operator.js';

/** Solutions in columns of ids, by the wanted variables. */
export interface ServiceAnswer {
  readonly columns: readonly Uint32Array[];
  /** The number of the tuple that each solution answers; -1 where the endpoint does not return it. */
  readonly tuples: Int32Array;
  readonly length: number;
}

export class ServiceRequest {
  /** Variables of the pattern that the plan needs. */
  readonly wanted: readonly string[];
  /** The wanted variables that the input rows have, with their positions in `wanted`. */
  readonly shared: readonly string[];
  /** The shared variables whose values are sent. */
  readonly sent: readonly string[];
  readonly sharedAt: readonly number[];
  readonly #number: string;
  #pattern: string | undefined;

  constructor(
    private readonly plan: ServicePlan,
    private readonly execution: Execution,
  ) {
    const { input, variables, serviceVariables } = plan;
    this.wanted = serviceVariables.filter((name) => variables.includes(name) || input.variables.includes(name));
    this.shared = this.wanted.filter((name) => input.variables.includes(name));
    this.sent = plan.whole ? [] : this.shared;
    this.sharedAt = this.shared.map((name) => this.wanted.indexOf(name));
    // The number of the tuple needs a name that the pattern does not use.
    let number = 'tuple';
    while (serviceVariables.includes(number)) number += '_';
    this.#number = number;
  }

  /** The solution that binds nothing. */
  get nothing(): ServiceAnswer {
    return { columns: this.wanted.map(() => new Uint32Array(1)), tuples: Int32Array.of(-1), length: 1 };
  }

  /**
   * The request for tuples `first … end` of the shared variables.
   * @throws EvaluationError `UNSUPPORTED` where the pattern cannot be written
   */
  async text(tuples: readonly Uint32Array[], first: number, end: number): Promise<string> {
    this.#pattern ??= patternText(this.plan.pattern, (term) => this.execution.resolve(term));
    const names = this.wanted.map((name) => `?${name}`);
    if (this.sent.length === 0) return `SELECT ${names.join(' ') || '*'} WHERE { ${this.#pattern} }`;
    const rows: string[] = [];
    for (let tuple = first; tuple < end; tuple++) {
      const cells = await Promise.all(tuples.map((column) => this.#cell(column[tuple]!)));
      rows.push(`(${cells.join(' ')} ${tuple - first})`);
    }
    const columns = this.sent.map((name) => `?${name}`).join(' ');
    const values = `VALUES (${columns} ?${this.#number}) { ${rows.join(' ')} }`;
    return `SELECT ${names.join(' ')} ?${this.#number} WHERE { ${this.#pattern} ${values} }`;
  }

  // A value that cannot be written as text is not sent, only compared here.
  async #cell(id: number): Promise<string> {
    return (id === 0 ? undefined : writableTerm(await this.execution.terms.term(id))) ?? 'UNDEF';
  }

  async answer(rows: readonly Readonly<Record<string, RDF.Term>>[]): Promise<ServiceAnswer> {
    const { terms, control } = this.execution;
    const columns = this.wanted.map(() => new Uint32Array(rows.length));
    const tuples = new Int32Array(rows.length).fill(-1);
    for (const [at, row] of rows.entries()) {
      for (const [i, name] of this.wanted.entries()) {
        if (Object.hasOwn(row, name)) columns[i]![at] = await terms.intern(row[name]!);
      }
      if (this.sent.length > 0 && Object.hasOwn(row, this.#number)) tuples[at] = tupleNumber(row[this.#number]!);
      await control.checkpoint();
    }
    return { columns, tuples, length: rows.length };
  }
}

function tupleNumber(term: RDF.Term): number {
  const number = term.termType === 'Literal' ? Number(term.value) : NaN;
  // A number that was not sent belongs to no tuple: the solution is dropped.
  return Number.isInteger(number) && number >= 0 && number < 2 ** 31 ? number : 2 ** 31 - 1;
}

/** Takes triple terms apart: rows whose term is a triple that matches stay, with its components in their columns. */
import { BatchBuilder, BatchMemory, rowsOfWidth, type Batch } from '../../execute/core/batch.js';
import { Ramp } from '../../execute/core/ramp.js';
import type { PatternTerm, TripleMatchPlan } from '../../plan/plan.js';
import type { Execution, NextBatch, Operator } from '../../execute/core/operator.js';
import { finish, type Waiting } from '../../execute/core/waiting.js';
import type { PlanOperator } from '../../execute/core/plan-operator.js';

/** What a component must equal: an id, or a column of the row, which is filled where it is unbound. */
interface Component {
  readonly constant: number;
  readonly slot: number;
}

export class TripleMatch implements Operator {
  readonly #components: readonly Component[];
  readonly #term: number;
  /** One row: the columns of the input, then variables that only the components have. */
  readonly #slots: Uint32Array;
  readonly #outputs: readonly number[];
  readonly #inputWidth: number;
  #row = 0;
  readonly #most: number;
  readonly #ramp: Ramp;
  readonly #made: BatchMemory;

  constructor(
    plan: TripleMatchPlan,
    private readonly input: Operator,
    private readonly execution: Execution,
  ) {
    const names = [...plan.input.variables];
    this.#inputWidth = names.length;
    this.#term = names.indexOf(plan.term);
    const slotOf = (name: string): number => {
      const slot = names.indexOf(name);
      return slot === -1 ? names.push(name) - 1 : slot;
    };
    const component = (term: PatternTerm): Component =>
      term.kind === 'constant'
        ? { constant: execution.constants[term.constant]!, slot: -1 }
        : { constant: 0, slot: slotOf(term.name) };
    this.#components = [plan.s, plan.p, plan.o].map(component);
    this.#most = rowsOfWidth(plan.variables.length);
    this.#ramp = new Ramp(plan.variables.length);
    this.#made = new BatchMemory(execution.memory);
    this.#outputs = plan.variables.map((name) => names.indexOf(name));
    this.#slots = new Uint32Array(names.length);
  }

  next(want = this.#most): NextBatch {
    return finish(this.#nextOf(want));
  }

  *#nextOf(want: number): Waiting<Batch | undefined> {
    for (;;) {
      const pause = this.execution.control.checkpoint();
      if (pause !== undefined) yield pause;
      let batch = this.input.next(this.#ramp.next(want));
      if (batch instanceof Promise) batch = (yield batch) as Batch | undefined;
      if (batch === undefined) return undefined;
      this.#made.reserve(batch.length, this.#outputs.length);
      const builder = new BatchBuilder(this.#outputs.length, batch.length);
      this.#row = 0;
      while (!this.#match(batch, builder)) yield this.execution.terms.fetch();
      if (builder.length > 0) return builder.take();
    }
  }

  // False where a term has to be fetched first.
  #match({ columns, length }: Batch, builder: BatchBuilder): boolean {
    for (; this.#row < length; this.#row++) {
      const id = columns[this.#term]![this.#row]!;
      const triple = id === 0 ? null : this.execution.dataset.triple(id);
      if (triple === undefined) return false;
      if (triple === null || !this.#agrees(columns, triple)) continue;
      for (let i = 0; i < this.#outputs.length; i++) {
        builder.columns[i]![builder.length] = this.#slots[this.#outputs[i]!]!;
      }
      builder.length++;
    }
    return true;
  }

  #agrees(columns: readonly Uint32Array[], triple: readonly number[]): boolean {
    const slots = this.#slots;
    for (let i = 0; i < slots.length; i++) slots[i] = i < this.#inputWidth ? columns[i]![this.#row]! : 0;
    for (let i = 0; i < 3; i++) {
      const { constant, slot } = this.#components[i]!;
      const expected = slot === -1 ? constant : slots[slot]!;
      if (slot !== -1 && expected === 0) slots[slot] = triple[i]!;
      else if (expected !== triple[i]) return false;
    }
    return true;
  }

  close(): void {
    this.#made.free();
    this.input.close();
  }
}

export const tripleMatch: PlanOperator<TripleMatchPlan> = {
  detail: ({ term, s, p, o }, print) => `?${term} as <<( ${print.term(s)} ${print.term(p)} ${print.term(o)} )>>`,
  open: (plan, { open, execution }) => new TripleMatch(plan, open(plan.input), execution),
};

/** Runs a plan in another repository: rows of its seeds are translated to it, its rows are translated back. */
import type { Plan, RepositoryPlan } from '../../plan/plan.js';
import { BatchMemory, type Batch } from '../../execute/core/batch.js';
import { resolveConstants } from '../../execute/core/constants.js';
import type { Execution, Operator, OtherSession } from '../../execute/core/operator.js';
import type { PlanOperator } from '../../execute/core/plan-operator.js';

/** Opens a plan. */
export type OpenPlan = (plan: Plan, execution: Execution) => Operator;

export class RepositoryPart implements Operator {
  readonly #session: OtherSession;
  /** Columns of row numbers, which are no ids. */
  readonly #numbers: ReadonlySet<number>;
  readonly #seeds: BatchMemory;
  readonly #made: BatchMemory;
  #inner: Operator | undefined;
  #closed = false;

  constructor(
    private readonly plan: RepositoryPlan,
    private readonly open: OpenPlan,
    private readonly execution: Execution,
  ) {
    this.#session = execution.others.of(plan.address, execution);
    const names = new Set(plan.seeds.map(({ rowNumber }) => rowNumber));
    this.#numbers = new Set(plan.variables.flatMap((name, column) => (names.has(name) ? [column] : [])));
    this.#seeds = new BatchMemory(execution.memory);
    this.#made = new BatchMemory(execution.memory);
  }

  async next(want?: number): Promise<Batch | undefined> {
    await this.execution.control.checkpoint();
    if (this.#closed) return undefined;
    this.#inner ??= await this.#begin();
    // It may have been closed meanwhile.
    if (this.#closed) this.#inner.close();
    const batch = this.#closed ? undefined : await this.#inner.next(want);
    this.#session.execution.dataset.check?.();
    return batch && this.#translated(batch);
  }

  async #begin(): Promise<Operator> {
    const { plan, execution } = this;
    const { execution: session } = this.#session;
    const seeds = new Map<string, Batch>();
    for (const seed of plan.seeds) seeds.set(seed.name, await this.#seedRows(seed));
    const constants = await this.#constants();
    const seedRows = (name: string): Batch => seeds.get(name) ?? session.seedRows(name);
    return this.open(plan.inner, { ...session, constants, seedRows, watch: execution.watch });
  }

  async #seedRows({ name, variables, rowNumber }: RepositoryPlan['seeds'][number]): Promise<Batch> {
    const { columns, length } = this.execution.seedRows(name);
    this.#seeds.reserve(length, columns.length);
    const translated: Uint32Array[] = [];
    for (const [i, column] of columns.entries()) {
      translated.push(variables[i] === rowNumber ? column : await this.#session.inward.column(column, length));
    }
    return { columns: translated, length };
  }

  async #constants(): Promise<readonly number[]> {
    const { constants, execution } = this.#session;
    const known = constants.get(this.plan.constants);
    if (known !== undefined) return known;
    const found = await resolveConstants(this.plan.constants, execution);
    constants.set(this.plan.constants, found);
    return found;
  }

  async #translated({ columns, length }: Batch): Promise<Batch> {
    this.#made.reserve(length, columns.length);
    const translated: Uint32Array[] = [];
    for (const [i, column] of columns.entries()) {
      translated.push(this.#numbers.has(i) ? column : await this.#session.outward.column(column, length));
    }
    return { columns: translated, length };
  }

  close(): void {
    this.#closed = true;
    this.#inner?.close();
    this.#inner = undefined;
    this.#seeds.free();
    this.#made.free();
  }
}

export const repository: PlanOperator<RepositoryPlan> = {
  detail: ({ address }) => `<${address}>`,
  open: (plan, { openAlone, execution }) =>
    new RepositoryPart(plan, (inner, within) => openAlone(inner, true, within), execution),
};

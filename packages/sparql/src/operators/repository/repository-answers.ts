/** Answers a SERVICE from repositories that its rows name: SERVICE with a variable. */
import type { Seed } from '../../algebra/algebra.js';
import { WHOLE_DATASET } from '../../dataset/dataset-view.js';
import { loadLibraries } from '../../expression/libraries.js';
import { seedPattern } from '../../optimize/rules/seed.js';
import { expressionsOf, inputsOf } from '../../plan/inputs.js';
import { newSeed } from '../../plan/parts/new-seed.js';
import { repositoryPlan, seedsIn } from './plan.js';
import type { Plan, RepositoryPlan, ServicePlan } from '../../plan/plan.js';
import { planOperation } from '../../plan/planner.js';
import type { Batch } from '../../execute/core/batch.js';
import type { Execution } from '../../execute/core/operator.js';
import type { ServiceAnswer } from '../service/service-request.js';
import { RowStore } from '../../execute/table/id-table.js';
import { openAsked } from './opened-repositories.js';
import { RepositoryPart, type OpenPlan } from './repository-part.js';

/** Tuples are numbered from 1 in a seed, from 0 in an answer. */
const FIRST_NUMBER = 1;

export class RepositoryAnswers {
  readonly #plans = new Map<string, RepositoryPlan>();
  #names = 0;

  constructor(
    private readonly plan: ServicePlan,
    /** Variables of the answer, and those of them whose values the rows give. */
    private readonly wanted: readonly string[],
    private readonly shared: readonly string[],
    private readonly open: OpenPlan,
    private readonly execution: Execution,
  ) {}

  /** The solutions for tuples `first … end` of the shared variables, or all where nothing is shared. */
  async answer(address: string, tuples: readonly Uint32Array[], first: number, end: number): Promise<ServiceAnswer> {
    const plan = this.#plans.get(address) ?? (await this.#makePlan(address));
    this.#plans.set(address, plan);
    const numbers = Uint32Array.from({ length: end - first }, (_, i) => i + FIRST_NUMBER);
    const rows: Batch = {
      columns: [...tuples.map((column) => column.subarray(first, end)), numbers],
      length: numbers.length,
    };
    return this.#collected(plan, new RepositoryPart(plan, this.open, { ...this.execution, seedRows: () => rows }));
  }

  async #makePlan(address: string): Promise<RepositoryPlan> {
    const { control, others, resolve, extension } = this.execution;
    const dataset = await others.opened.open(address);
    const pattern = await openAsked(this.plan.pattern, others.opened, control);
    const newName = (): string => `#r${this.#names++}`;
    const { certain } = this.plan.input;
    const seed: Seed | undefined =
      this.shared.length === 0 ? undefined : newSeed({ newName }, this.shared, certain, SEED_ROWS);
    const seeded =
      seed === undefined ? pattern : (seedPattern(pattern, seed) ?? { type: 'join' as const, input: [seed, pattern] });
    const columns = seed === undefined ? this.wanted : [...this.wanted, seed.rowNumber];
    const isVolatile = (iri: string): boolean => extension(iri)?.deterministic === false;
    const options = { control, newName, isVolatile, others: others.opened.datasets };
    const planned = await planOperation(seeded, columns, dataset, WHOLE_DATASET, resolve, options);
    await loadLibrariesOf(planned.plan);
    return repositoryPlan(address, planned, seedsIn(seeded));
  }

  async #collected({ variables, seeds }: RepositoryPlan, part: RepositoryPart): Promise<ServiceAnswer> {
    const store = new RowStore(variables.length, this.execution.memory);
    try {
      for (let batch = await part.next(); batch !== undefined; batch = await part.next()) {
        store.append(batch.columns, batch.length);
      }
    } finally {
      part.close();
      // Whoever asks counts what the answer has.
      store.free();
    }
    const { length } = store;
    const columnOf = (name: string): Uint32Array => store.columns[variables.indexOf(name)] ?? new Uint32Array(length);
    const [seed] = seeds;
    const numbers = seed && columnOf(seed.rowNumber);
    const tuples = Int32Array.from({ length }, (_, row) => (numbers === undefined ? -1 : numbers[row]! - FIRST_NUMBER));
    return { columns: this.wanted.map(columnOf), tuples, length };
  }
}

/** A plan is made for about so many tuples. */
const SEED_ROWS = 100;

/** As the engine does for the plans that it checks: only the rows of this one say which repository it is for. */
async function loadLibrariesOf(plan: Plan): Promise<void> {
  const open: Plan[] = [plan];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const expression of expressionsOf(node)) await loadLibraries(expression);
    open.push(...inputsOf(node));
  }
}

/** Opens plans over a dataset: ids for their constants, and everything that operators may use. */
import type * as RDF from '@rdfjs/types';
import { DEFAULT_GRAPH, iterate, type LazySequence } from '@quadrille/model';
import type { EvaluationControl } from '../control/control.js';
import type { Batch } from '../execute/core/batch.js';
import { blankNodeMaker } from '../execute/core/expression-context.js';
import { Memory } from '../control/memory.js';
import { processMemory } from '../control/process-memory.js';
import { openPlan } from '../execute/open.js';
import type { Execution, NextBatch, Operator } from '../execute/core/operator.js';
import { SolutionTerms } from '../execute/core/solution-terms.js';
import { MISS, type IdDataset } from '../dataset/id-dataset.js';
import type { Extension, ExtensionAggregate } from '../expression/extension-functions.js';
import type { Constants } from '../plan/constants.js';
import type { Plan } from '../plan/plan.js';
import type { PlannedQuery } from '../plan/planner.js';
import type { RemoteSources } from '../dataset/remote.js';

export interface ExecutionOptions {
  readonly dataset: IdDataset;
  readonly control: EvaluationControl;
  readonly memoryBytes: number | undefined;
  readonly resolve: (term: RDF.Term) => RDF.Term;
  readonly now: Date;
  readonly baseIRI: string | undefined;
  /** Default: a new one. */
  readonly blankNodePrefix: string | undefined;
  readonly remote: RemoteSources | undefined;
  readonly extension: (iri: string) => Extension | undefined;
  readonly aggregate: (iri: string) => ExtensionAggregate | undefined;
  readonly watch?: ((plan: Plan, operator: Operator) => Operator) | undefined;
}

/** What all plans of one evaluation share; the constants are those of one plan. Whoever starts it closes its memory. */
export type Session = Omit<Execution, 'constants'>;

export function startSession(options: ExecutionOptions): Session {
  const { dataset, control, memoryBytes, resolve, now, baseIRI, blankNodePrefix, remote, extension, aggregate, watch } =
    options;
  const memory = new Memory({
    process: processMemory,
    budgetBytes: memoryBytes,
    end: (error) => control.fail(error),
  });
  return {
    dataset,
    control,
    memory,
    terms: new SolutionTerms(dataset, control, memory),
    resolve,
    now,
    baseIRI,
    newBlankNode: blankNodeMaker(blankNodePrefix),
    remote,
    extension,
    aggregate,
    currentGraph: DEFAULT_GRAPH,
    seedRows: (seed) => {
      throw new Error(`there are no rows for the seed ${seed}`);
    },
    watch,
  };
}

/** The solutions of a plan, batch by batch. Leaving the loop closes all operators. */
export const runPlan = (planned: PlannedQuery, session: Session): AsyncIterableIterator<Batch, undefined> =>
  iterate(new PlanRun(planned, session));

/** A plan that runs: opened with its first batch, closed with its last one or by an error. */
export class PlanRun implements LazySequence<Batch> {
  #operator: Operator | undefined;
  #ended = false;

  constructor(
    private readonly planned: PlannedQuery,
    private readonly session: Session,
  ) {}

  next(): NextBatch {
    if (this.#ended) return undefined;
    try {
      const batch = this.#operator === undefined ? this.#first() : this.#operator.next();
      if (batch instanceof Promise) return this.#awaited(batch);
      if (batch === undefined) this.close();
      return batch;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  async #awaited(next: Promise<Batch | undefined>): Promise<Batch | undefined> {
    try {
      const batch = await next;
      if (batch === undefined) this.close();
      return batch;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  #first(): NextBatch {
    const { plan, constants: all } = this.planned;
    const open = (constants: number[]): NextBatch => {
      this.#operator = openPlan(plan, { ...this.session, constants });
      return this.#operator.next();
    };
    const constants = resolveConstants(all, this.session);
    return constants instanceof Promise ? constants.then(open) : open(constants);
  }

  close(): void {
    this.#ended = true;
    this.#operator?.close();
  }
}

/** Constants that get their ids before the event loop may get its turn. */
const CONSTANTS_AT_ONCE = 256;

/** Ids of constants; a promise only where something has to be fetched. */
function resolveConstants({ all }: Constants, session: Session): number[] | Promise<number[]> {
  const ids: number[] = [];
  if (all.length > CONSTANTS_AT_ONCE) return fetchConstants(all, session);
  for (const { term, intern } of all) {
    const id = session.terms.tryTerm(session.resolve(term), intern);
    if (id === MISS) return fetchConstants(all, session);
    ids.push(id);
  }
  return ids;
}

async function fetchConstants(all: Constants['all'], { terms, resolve, control }: Session): Promise<number[]> {
  const ids: number[] = [];
  for (const { term, intern } of all) {
    if (ids.length % CONSTANTS_AT_ONCE === 0) await control.checkpoint();
    const resolved = resolve(term);
    ids.push(await (intern ? terms.intern(resolved) : terms.find(resolved)));
  }
  return ids;
}

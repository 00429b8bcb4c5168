/** Opens plans over a dataset: ids for their constants, and everything that operators may use. */
import type * as RDF from '@rdfjs/types';
import { iterate, type LazySequence } from '@quadrille/model';
import type { EvaluationControl } from '../control/control.js';
import type { Batch } from '../execute/core/batch.js';
import { blankNodeMaker } from '../execute/core/expression-context.js';
import { Memory } from '../control/memory.js';
import { processMemory } from '../control/process-memory.js';
import { resolveConstants } from '../execute/core/constants.js';
import { moreOperators, openUnordered } from '../execute/open.js';
import type { Execution, NextBatch, Operator } from '../execute/core/operator.js';
import { SolutionTerms } from '../execute/core/solution-terms.js';
import { BlankScopes } from '../operators/repository/blank-scopes.js';
import type { OpenedRepositories } from '../operators/repository/opened-repositories.js';
import { OpenSessions } from '../operators/repository/other-sessions.js';
import type { IdDataset } from '../dataset/id-dataset.js';
import type { Extension, ExtensionAggregate } from '../expression/extension-functions.js';
import type { Plan } from '../plan/plan.js';
import type { PlannedQuery } from '../plan/planner.js';
import type { RemoteSources } from '../dataset/remote.js';

export interface ExecutionOptions {
  readonly dataset: IdDataset;
  readonly control: EvaluationControl;
  readonly memoryBytes: number | undefined;
  readonly resolve: (term: RDF.Term) => RDF.Term;
  readonly ids?: readonly number[] | undefined;
  readonly now: Date;
  readonly baseIRI: string | undefined;
  /** Default: a new one. */
  readonly blankNodePrefix: string | undefined;
  readonly remote: RemoteSources | undefined;
  /** The other repositories that are open, and what opens more. */
  readonly opened: OpenedRepositories;
  readonly extension: (iri: string) => Extension | undefined;
  readonly aggregate: (iri: string) => ExtensionAggregate | undefined;
  readonly watch?: ((plan: Plan, operator: Operator) => Operator) | undefined;
}

/** What all plans of one evaluation share; the constants are those of one plan. Whoever starts it closes its memory. */
export type Session = Omit<Execution, 'constants'>;

export function startSession(options: ExecutionOptions): Session {
  const { dataset, control, memoryBytes, resolve, ids, now, baseIRI, blankNodePrefix, watch } = options;
  const { remote, opened, extension, aggregate } = options;
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
    ids,
    now,
    baseIRI,
    newBlankNode: blankNodeMaker(blankNodePrefix),
    remote,
    others: new OpenSessions(opened),
    extension,
    aggregate,
    seedRows: (seed) => {
      throw new Error(`there are no rows for the seed ${seed}`);
    },
    watch,
  };
}

/** The same session with the default graphs of other repositories as further graphs. */
export function withGraphs(session: Session, graphs: ReadonlyMap<string, IdDataset>): Session {
  if (graphs.size === 0) return session;
  const { control, memory, others } = session;
  const scopes = new BlankScopes();
  // Whoever has planned the request has loaded it.
  const dataset = moreOperators.get().DatasetWithGraphs.over(session.dataset, graphs, scopes, session);
  const terms = new SolutionTerms(dataset, control, memory);
  return { ...session, dataset, terms, others: new OpenSessions(others.opened, scopes) };
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
      this.#operator = openUnordered(plan, Object.assign({ ...this.session }, { constants }));
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

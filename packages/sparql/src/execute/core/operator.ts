/** The interface of all operators, and the context that they share during an evaluation. */
import type * as RDF from '@rdfjs/types';
import type { LazySequence } from '@quadrille/model';
import type { EvaluationControl } from '../../control/control.js';
import type { IdDataset } from '../../dataset/id-dataset.js';
import type { Extension, ExtensionAggregate } from '../../expression/extension-functions.js';
import type { Plan } from '../../plan/plan.js';
import type { RemoteSources } from '../../dataset/remote.js';
import type { Batch } from './batch.js';
import type { Memory } from '../../control/memory.js';
import type { Constants } from '../../plan/constants.js';
import type { IdRange } from '../../plan/id-ranges.js';
import type { IdTranslation } from '../../operators/repository/id-translation.js';
import type { OpenedRepositories } from '../../operators/repository/opened-repositories.js';
import type { SolutionTerms } from './solution-terms.js';

/** Produces solutions in batches. It is opened once, and read to its end or closed early. */
export interface Operator extends LazySequence<Batch> {
  /**
   * The next rows, at least one; `undefined` at the end. The reader has use for about `want` rows now. An operator that would have to
   * work for more gives no more than that, others may. Default, and at most: as many
   * as a batch has.
   */
  next(want?: number): NextBatch;
  /** Frees the resources of the operator and its inputs. May be called at any time and repeatedly. */
  close(): void;
}

export type NextBatch = Batch | undefined | Promise<Batch | undefined>;

/** The outcome of a step: rows, the end, or a promise after which the step is made again. */
export type Step = Batch | undefined | Promise<void>;

/** Repeats a step until it gives rows or the end. */
export function stepped(step: () => Step): NextBatch {
  const first = step();
  return first instanceof Promise ? awaited(first, step) : first;
}

async function awaited(first: Promise<void>, step: () => Step): Promise<Batch | undefined> {
  let made: Step = first;
  do {
    await made;
    made = step();
  } while (made instanceof Promise);
  return made;
}

/** Another repository that parts of an evaluation run in: it shares deadline, memory and all else that does not depend on the data. */
export interface OtherSession {
  readonly execution: Omit<Execution, 'constants'>;
  /** From the repository around it to this one, and back. */
  readonly inward: IdTranslation;
  readonly outward: IdTranslation;
  /** Ids of the constants of plans that have run in it. */
  readonly constants: Map<Constants, readonly number[]>;
}

export interface OtherSessions {
  readonly opened: OpenedRepositories;
  /** The session of a repository that is open, for parts of the evaluation `around`: one for each address. */
  of(address: string, around: Omit<Execution, 'constants'>): OtherSession;
}

/** One running evaluation. */
export interface Execution {
  readonly dataset: IdDataset;
  readonly control: EvaluationControl;
  readonly memory: Memory;
  /** Terms and values of ids, and ids of computed values. */
  readonly terms: SolutionTerms;
  /** Ids of the plan's constants, 0 where the dataset does not have the term. */
  readonly constants: readonly number[];
  /** The term that a constant of the request stands for: itself, or the value of a parameter. */
  resolve(term: RDF.Term): RDF.Term;
  /** The ids of the first values of the request, where they came with it. */
  readonly ids?: readonly number[] | undefined;
  readonly now: Date;
  readonly baseIRI: string | undefined;
  /** A blank node with a label that no stored one has. */
  newBlankNode(): RDF.BlankNode;
  /** A function that the embedder added, by its IRI. */
  extension(iri: string): Extension | undefined;
  /** An aggregate that the embedder added, by its IRI. */
  aggregate(iri: string): ExtensionAggregate | undefined;
  readonly remote: RemoteSources | undefined;
  /** Other repositories of the store that the evaluation reads. */
  readonly others: OtherSessions;
  /** The ranges of objects that an enclosing sort is at, by name. */
  readonly ranges?: ReadonlyMap<string, readonly IdRange[]> | undefined;
  /** Rows that an enclosing operator supplies, by the name of the seed. */
  seedRows(seed: string): Batch;
  /** Measures an operator as it runs, for explain. */
  readonly watch: ((plan: Plan, operator: Operator) => Operator) | undefined;
}

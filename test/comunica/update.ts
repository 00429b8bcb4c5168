/** Updates over a staged transaction. Each operation sees those before it; an error leaves the rest to the caller's rollback. */
import type * as RDF from '@rdfjs/types';
import { EvaluationError, FetchError, NotFoundError, dataFactory, defaultGraph, printTerm } from '@quadrille/model';
import type { GraphTarget, Operation, UpdateOperation } from '../../packages/sparql/src/algebra/algebra.js';
import { withoutServices } from './check-support.js';
import type { ComunicaEvaluator, EvaluationContext, Solution } from './evaluator.js';
import type { EvaluationControl } from '../../packages/sparql/src/control/control.js';
import { DatasetView, type ChangeableDataset } from './dataset.js';
import { toGraphSource } from '../../packages/sparql/src/dataset/dataset-view.js';
import { Instantiation } from './instantiate.js';
import { graphsFor, type EvaluationOptions } from '../../packages/sparql/src/engine/options.js';

/** Quads that one call of the dataset gets at most. */
const BATCH_QUADS = 4096;

type DeleteInsert = UpdateOperation & { readonly type: 'deleteinsert' };
type Transfer = UpdateOperation & { readonly type: 'add' | 'move' | 'copy' };

export class UpdateRunner {
  readonly #dataset: ChangeableDataset;
  readonly #evaluator: ComunicaEvaluator;
  readonly #options: EvaluationOptions;
  readonly #context: Omit<EvaluationContext, 'view'>;
  readonly #control: EvaluationControl;
  #operations = 0;

  constructor(
    dataset: ChangeableDataset,
    evaluator: ComunicaEvaluator,
    options: EvaluationOptions,
    context: Omit<EvaluationContext, 'view'>,
  ) {
    this.#dataset = dataset;
    this.#evaluator = evaluator;
    this.#options = options;
    this.#context = context;
    this.#control = context.control;
  }

  async run(operation: UpdateOperation): Promise<void> {
    this.#operations++;
    await this.#control.checkpoint();
    switch (operation.type) {
      case 'deleteinsert':
        return this.#deleteInsert(operation);
      case 'clear':
      case 'drop':
        return this.#clear(operation.source);
      case 'create':
        // A graph is there when it holds a quad: making an empty one changes nothing.
        return;
      case 'load':
        if (operation.silent === true) return;
        throw new FetchError('BLOCKED_ADDRESS', `LOAD is not allowed here: ${printTerm(operation.source)}`);
      default:
        return this.#transfer(operation);
    }
  }

  async #deleteInsert(operation: DeleteInsert): Promise<void> {
    const prefix = `${this.#context.blankNodePrefix}u${this.#operations}`;
    const removal = new Instantiation(operation.delete ?? [], prefix);
    const addition = new Instantiation(operation.insert ?? [], prefix);
    const removed: RDF.Quad[] = [];
    const added: RDF.Quad[] = [];
    // All solutions first: the pattern must not see the changes that it leads to.
    for await (const solution of this.#solutions(operation.where)) {
      removed.push(...removal.quads(solution));
      added.push(...addition.quads(solution));
    }
    await this.#inBatches(removed, (batch) => this.#dataset.remove(batch));
    await this.#inBatches(added, (batch) => this.#dataset.add(batch));
  }

  async *#solutions(where: Operation | undefined): AsyncGenerator<Solution> {
    if (where === undefined) {
      yield {};
      return;
    }
    const clause = where.type === 'from' ? where : undefined;
    const view = new DatasetView(this.#dataset, graphsFor(clause, this.#options));
    const pattern = withoutServices(clause === undefined ? where : clause.input);
    yield* this.#evaluator.solutions(pattern, { ...this.#context, view });
  }

  async #inBatches(quads: readonly RDF.Quad[], apply: (batch: readonly RDF.Quad[]) => Promise<void>): Promise<void> {
    for (let start = 0; start < quads.length; start += BATCH_QUADS) {
      await this.#control.checkpoint();
      await apply(quads.slice(start, start + BATCH_QUADS));
    }
  }

  async #clear(target: GraphTarget): Promise<void> {
    const source = targetSource(target);
    if (source === 'all') return this.#dataset.removeMatches({});
    if (source !== 'named') return this.#dataset.removeMatches({ graph: source });
    for (const graph of await this.#dataset.namedGraphs()) await this.#dataset.removeMatches({ graph });
  }

  async #transfer({ type, source, destination, silent }: Transfer): Promise<void> {
    const from = singleGraph(source);
    const to = singleGraph(destination);
    if (from.equals(to)) return;
    const quads: RDF.Quad[] = [];
    for await (const batch of this.#dataset.match({ graph: from })) {
      await this.#control.checkpoint();
      for (const quad of batch) quads.push(dataFactory.quad(quad.subject, quad.predicate, quad.object, to));
    }
    if (quads.length === 0 && from.termType !== 'DefaultGraph') {
      if (silent === true) return;
      throw new NotFoundError('INPUT_NOT_FOUND', `there is no graph ${printTerm(from)}`);
    }
    if (type !== 'add') await this.#dataset.removeMatches({ graph: to });
    await this.#inBatches(quads, (batch) => this.#dataset.add(batch));
    if (type === 'move') await this.#dataset.removeMatches({ graph: from });
  }
}

function targetSource(target: GraphTarget): 'named' | 'all' | RDF.Quad_Graph {
  if (target === 'DEFAULT') return defaultGraph();
  if (target === 'NAMED') return 'named';
  if (target === 'ALL') return 'all';
  const source = toGraphSource(target);
  return source === 'default' ? defaultGraph() : (source as 'named' | 'all' | RDF.NamedNode);
}

function singleGraph(target: GraphTarget): RDF.Quad_Graph {
  const source = targetSource(target);
  if (typeof source !== 'string') return source;
  throw new EvaluationError('UNSUPPORTED', 'ADD, COPY and MOVE take single graphs, not a set of them');
}

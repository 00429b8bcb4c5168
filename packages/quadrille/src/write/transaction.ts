/** The public object of a staged transaction. */
import type * as RDF from '@rdfjs/types';
import type { StagedTransaction } from '@quadrille/core';
import { checkQuad, lazySequence, StateError } from '@quadrille/model';
import type { EvaluationOptions, SparqlAnswer } from '@quadrille/sparql';
import type {
  Bindings,
  PreparedInTransaction,
  PrepareOptions,
  QuadPattern,
  QueryAnswer,
  ReadOptions,
  Results,
  Row,
  SelectOptions,
  SparqlText,
  Transaction,
} from '../api/index.js';
import type { HostQueryOptions } from '../host/host-types.js';
import { TransactionDataset } from '../sparql/datasets.js';
import { checkBindings, READ_OPTIONS, SPARQL_OPTIONS } from '../options/calls.js';
import { checkOptions, checkSignal, endsOf } from '../options/check-options.js';
import { checkedUpdate, preparedReads, prepareText } from '../sparql/prepared.js';
import { checkPattern } from '../read/quads.js';
import type { ResultEnds } from '../read/results.js';
import type { ViewContext } from '../read/view.js';
import { LazyResults, oneByOne } from '../read/results.js';
import { type AnswerOf, lazyQuads, lazyRows, ofKind, queryAnswer } from '../read/query-answer.js';
import { closedOnFailure, type Started } from '../read/snapshot-source.js';
import { type QueryPins, queryPins } from '../sparql/query-pins.js';
import { selectCall, sparqlCall } from '../sparql/sparql-call.js';
import { asPattern, inBatches, isQuads, quadsOf } from './quad-input.js';
import type { QuadInput } from './quad-input.js';

export class OpenTransaction implements Transaction {
  readonly dataset: TransactionDataset;
  #open = true;

  constructor(
    readonly staged: StagedTransaction,
    protected readonly context: Pick<ViewContext, 'core' | 'engine' | 'check' | 'store'>,
    private readonly prefixes: Readonly<Record<string, string>>,
  ) {
    this.dataset = new TransactionDataset(staged, context.core);
  }

  /** Ends the object: later calls fail. */
  end(): void {
    this.#open = false;
  }

  get isOpen(): boolean {
    return this.#open;
  }

  /** @throws StateError `SNAPSHOT_CLOSED` after the end; the error of the repository if that is closed */
  protected readonly checkOpen = (): void => {
    // Closing the database ends held transactions, whose calls report it. Transactions that closing waits for may continue.
    if (this.#open) return this.context.core.handle.check();
    this.context.check();
    throw new StateError('SNAPSHOT_CLOSED', 'this transaction has ended');
  };

  #ends(options: ReadOptions | undefined): ResultEnds {
    return { signal: options?.signal, check: this.checkOpen };
  }

  async size(): Promise<number> {
    this.checkOpen();
    await this.staged.beginReading();
    return this.staged.size;
  }

  async count(pattern: QuadPattern = {}, options?: ReadOptions): Promise<number> {
    this.checkOpen();
    checkPattern(pattern);
    checkOptions(options, READ_OPTIONS, 'count');
    checkSignal(options?.signal);
    return this.staged.count(asPattern(pattern), endsOf(options));
  }

  quads(pattern: QuadPattern = {}, options?: ReadOptions): Results<RDF.Quad> {
    this.checkOpen();
    checkPattern(pattern);
    checkOptions(options, READ_OPTIONS, 'quads');
    return new LazyResults(() => lazySequence(() => this.dataset.match(asPattern(pattern))), this.#ends(options));
  }

  graphs(options?: ReadOptions): Results<RDF.NamedNode | RDF.BlankNode> {
    this.checkOpen();
    checkOptions(options, READ_OPTIONS, 'graphs');
    const graphs = async function* (this: OpenTransaction): AsyncGenerator<RDF.NamedNode | RDF.BlankNode> {
      yield* (await this.staged.graphs()) as RDF.NamedNode[];
    };
    return new LazyResults(() => oneByOne(lazySequence(() => graphs.call(this))), this.#ends(options));
  }

  async add(quads: QuadInput): Promise<void> {
    this.checkOpen();
    await inBatches(quadsOf(quads), (batch) => {
      this.checkOpen();
      for (const quad of batch) checkQuad(quad);
      return this.staged.add(batch);
    });
  }

  async remove(quads: QuadInput | QuadPattern): Promise<void> {
    this.checkOpen();
    if (isQuads(quads)) {
      return inBatches(quadsOf(quads), (batch) => {
        this.checkOpen();
        return this.staged.remove(batch);
      });
    }
    checkPattern(quads);
    await this.staged.removeMatches(asPattern(quads));
  }

  readonly update = sparqlCall(async (text: SparqlText, options: HostQueryOptions = {}): Promise<void> => {
    this.checkOpen();
    checkOptions(options, SPARQL_OPTIONS, 'update');
    checkBindings(options.bindings);
    const evaluation = this.#evaluation(options);
    const updated = this.context.engine.update(text, this.dataset, evaluation);
    await updated.finally(() => evaluation.repositories.close());
  });

  async prepare<R extends object = Row, B extends object = Bindings>(
    text: SparqlText,
    options: PrepareOptions = {},
  ): Promise<PreparedInTransaction<R, B>> {
    this.checkOpen();
    const prepared = await prepareText(this.context.engine, text, options, this.prefixes);
    return {
      ...preparedReads(prepared, this),
      update: async (given) => this.update(prepared.request, checkedUpdate(given)),
    };
  }

  // The transaction itself is closed by who has begun it.
  #evaluation(options: HostQueryOptions): EvaluationOptions & { readonly repositories: QueryPins } {
    const { core } = this.context;
    const repositories = queryPins(undefined, this.context, this.staged.base.record, options.task);
    return Object.assign({ ...options }, { prefixes: this.prefixes, repository: core.name, repositories });
  }

  async #answer(text: SparqlText, options: HostQueryOptions = {}): Promise<Started<SparqlAnswer>> {
    this.checkOpen();
    checkOptions(options, SPARQL_OPTIONS, 'query');
    checkBindings(options.bindings);
    await this.staged.beginReading();
    const evaluation = this.#evaluation(options);
    const evaluated = async (): Promise<SparqlAnswer> => this.context.engine.query(text, this.dataset, evaluation);
    return closedOnFailure(evaluated(), evaluation.repositories);
  }

  async #answerOf<K extends SparqlAnswer['type']>(
    kind: K,
    text: SparqlText,
    options?: HostQueryOptions,
  ): Promise<AnswerOf<K>> {
    return ofKind(kind, await this.#answer(text, options));
  }

  readonly query = sparqlCall(async (text, options?: HostQueryOptions): Promise<QueryAnswer> =>
    queryAnswer(await this.#answer(text, options), this.#ends(options)),
  );

  readonly select = selectCall((text, options?: SelectOptions) =>
    lazyRows((query) => this.#answerOf('bindings', text, query), options, this.#ends(options)),
  );

  readonly construct = sparqlCall((text, options?: HostQueryOptions): Results<RDF.Quad> => this.#quads(text, options));
  readonly describe = sparqlCall((text, options?: HostQueryOptions): Results<RDF.Quad> => this.#quads(text, options));

  #quads(text: SparqlText, options?: HostQueryOptions): Results<RDF.Quad> {
    return lazyQuads(() => this.#answerOf('quads', text, options), this.#ends(options));
  }

  readonly ask = sparqlCall(async (text, options?: HostQueryOptions): Promise<boolean> => {
    const { answer, snapshot } = await this.#answerOf('boolean', text, options);
    snapshot.close();
    return answer.value;
  });
}

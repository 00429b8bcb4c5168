/** The writing part of a repository: loads, changes, updates and transactions.  */
import type * as RDF from '@rdfjs/types';
import { ConflictError, InvalidArgumentError } from '@quadrille/model';
import type {
  AddOptions,
  Bindings,
  ChangePreview,
  CommitOptions,
  DryRun,
  LoadedRevision,
  LoadOptions,
  LoadSource,
  PreparedRequest,
  PrepareOptions,
  QuadPattern,
  Ref,
  Repository,
  Revision,
  Row,
  SparqlText,
  Transaction,
  TransactionOptions,
} from '../api/index.js';
import { HOST } from '../host/host-of.js';
import type { HeldTransaction, HostedRepository, HostUpdateOptions } from '../host/host-types.js';
import { QuadEncoder } from './encode-quads.js';
import type { BlankNodes } from './encode-quads.js';
import { OpenHeldTransaction } from './held-transaction.js';
import {
  ADD_OPTIONS,
  COMMIT_OPTIONS,
  LOAD_OPTIONS,
  TRANSACTION_OPTIONS,
  UPDATE_OPTIONS,
  checkBindings,
} from '../options/calls.js';
import { checkOptions, checkSignal } from '../options/check-options.js';
import { checkedUpdate, preparedQuery, prepareText } from '../sparql/prepared.js';
import { checkPattern } from '../read/quads.js';
import { View, type ViewContext } from '../read/view.js';
import { sparqlCall } from '../sparql/sparql-call.js';
import { previewChange } from './preview-change.js';
import { areFew, asPattern, inBatches, isQuads, quadBatches, quadsOf } from './quad-input.js';
import type { QuadInput } from './quad-input.js';
import type { RunningWrites } from './running-writes.js';
import { OpenTransaction } from './transaction.js';
import { type CommitInfo, Updates } from './updates.js';

/** Code of loads. Each import of a module takes microseconds, also of one that is loaded. */
let loading: typeof import('../load/load.js') | undefined;

/** Longer arrays are written in chunks, like streams. */
const COLLECTED_QUADS = 8192;

export class WritableView extends View {
  readonly #context: ViewContext;
  readonly #writes: RunningWrites;
  readonly #updates: Updates;

  constructor(context: ViewContext, writes: RunningWrites) {
    const head = (): ViewContext['core']['head'] => context.core.head;
    super(context, head, head);
    this.#context = context;
    this.#writes = writes;
    this.#updates = new Updates(context);
  }

  load(source: LoadSource, options: LoadOptions & DryRun): Promise<ChangePreview>;
  load(source: LoadSource, options?: LoadOptions): Promise<LoadedRevision>;
  async load(source: LoadSource, given: LoadOptions & Partial<DryRun> = {}): Promise<LoadedRevision | ChangePreview> {
    checkOptions(given, LOAD_OPTIONS, 'load');
    const { loadDocument } = (loading ??= await import('../load/load.js'));
    const { core, contexts } = this.#context;
    const { dryRun = false, ...own } = given;
    const prefixes = own.mapping === undefined ? undefined : await this.#context.prefixes();
    const options = contexts === undefined ? own : { ...own, contexts: { ...contexts, ...own.contexts } };
    if (dryRun) return previewChange((records) => loadDocument(core, source, { ...options, records }, prefixes));
    return loadDocument(core, source, options, prefixes);
  }

  async add(quads: QuadInput, options: AddOptions = {}): Promise<Revision> {
    checkOptions(options, ADD_OPTIONS, 'add');
    const { blankNodes = 'keep', ...commit } = options;
    const input = quadsOf(quads);
    if (blankNodes === 'keep' && areFew(input, COLLECTED_QUADS)) {
      return this.#writes.run(commit.signal, () => this.#context.core.commit(input, [], commit));
    }
    return this.#addStream(input, commit, blankNodes);
  }

  // Adds the quads of a stream as one revision.
  async #addStream(
    quads: Iterable<RDF.Quad> | AsyncIterable<RDF.Quad>,
    options: CommitOptions,
    blankNodes: BlankNodes,
  ): Promise<Revision> {
    checkSignal(options.signal);
    const { core } = this.#context;
    const load = await core.beginLoad({ signal: options.signal });
    try {
      const encoder = new QuadEncoder(load, blankNodes);
      for await (const batch of quadBatches(quads)) {
        for (const quad of batch) encoder.push(quad);
        if (load.full) await load.writeChunk();
        if (load.due) await load.pause();
      }
      return await core.finishLoad(load, options);
    } finally {
      await load.close();
    }
  }

  async remove(input: QuadInput | QuadPattern, options: CommitOptions = {}): Promise<Revision> {
    checkOptions(options, COMMIT_OPTIONS, 'remove');
    if (!isQuads(input)) {
      checkPattern(input);
      return this.#writes.run(options.signal, () => this.#context.core.removeMatches(asPattern(input), options));
    }
    const quads: RDF.Quad[] = [];
    await inBatches(quadsOf(input), (batch) => void quads.push(...batch));
    return this.#writes.run(options.signal, () => this.#context.core.commit([], quads, options));
  }

  readonly update = sparqlCall(
    async (text: SparqlText, options: HostUpdateOptions & Partial<DryRun> = {}): Promise<Revision | ChangePreview> => {
      checkOptions(options, UPDATE_OPTIONS, 'update');
      checkBindings(options.bindings);
      const { message, author, ifRevision, id, records, dryRun = false, ...query } = options;
      const info = { message, author, ifRevision, id, records };
      if (!dryRun) return this.#writes.run(undefined, () => this.#updates.run(text, query, info));
      return previewChange((ending) =>
        this.#writes.run(undefined, () => this.#updates.run(text, query, { ...info, records: ending })),
      );
    },
  ) as Repository['update'];

  override async prepare<R extends object = Row, B extends object = Bindings>(
    text: SparqlText,
    options: PrepareOptions = {},
  ): Promise<PreparedRequest<R, B>> {
    const prepared = await prepareText(this.#context.engine, text, options, await this.#context.prefixes());
    const update: PreparedRequest<R, B>['update'] = async (given) =>
      this.update(prepared.request, checkedUpdate(given));
    return Object.assign(preparedQuery<R, B>(prepared, this), { update });
  }

  async transaction(
    run: (transaction: Transaction) => Promise<void> | void,
    options: TransactionOptions = {},
  ): Promise<Revision> {
    checkOptions(options, TRANSACTION_OPTIONS, 'transaction');
    if (typeof run !== 'function') {
      throw new InvalidArgumentError('INVALID_OPTION', 'transaction: what to run must be a function');
    }
    const { retries = 0, signal, ...commit } = options;
    checkSignal(signal);
    const checked = async (transaction: Transaction): Promise<void> => {
      await run(transaction);
      checkSignal(signal);
    };
    return this.#transact(checked, commit, retries);
  }

  override get [HOST](): HostedRepository {
    return { ...super[HOST], begin: () => this.#begin(), prepare: (text, options) => this.prepare(text, options) };
  }

  async #begin(): Promise<HeldTransaction> {
    this.#context.check();
    const transaction = await OpenHeldTransaction.begin(
      this.#context,
      (signal, work) => this.#writes.run(signal, work),
      (ended) => this.#writes.release(ended),
    );
    this.#writes.hold(transaction);
    return transaction;
  }

  async #transact(
    run: (transaction: OpenTransaction) => Promise<void> | void,
    commit: CommitInfo,
    retries: number,
  ): Promise<Revision> {
    const { core } = this.#context;
    const prefixes = await this.#context.prefixes();
    for (let left = retries; ; left--) {
      const transaction = new OpenTransaction(await core.begin(), this.#context, prefixes);
      try {
        await run(transaction);
        transaction.end();
        return await core.commitTransaction(transaction.staged, commit);
      } catch (error) {
        // With ifRevision a retry cannot succeed: the named revision is no longer the head.
        const lost =
          error instanceof ConflictError && error.code === 'REVISION_CONFLICT' && commit.ifRevision === undefined;
        if (!lost || left <= 0) throw error;
      } finally {
        transaction.end();
        transaction.staged.close();
      }
    }
  }

  async revert(ref: Ref, options: CommitOptions = {}): Promise<Revision> {
    checkOptions(options, COMMIT_OPTIONS, 'revert');
    return this.#writes.run(options.signal, () => this.#context.core.revert(ref, options));
  }
}

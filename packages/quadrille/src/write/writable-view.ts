/** The writing part of a repository: loads, changes, updates and transactions. It also tracks the work that closing waits for. */
import type { EventEmitter } from 'node:events';
import type * as RDF from '@rdfjs/types';
import { Gate } from '@quadrille/core';
import { ConflictError, InvalidArgumentError } from '@quadrille/model';
import type {
  Bindings,
  CommitOptions,
  HeldTransaction,
  LoadedRevision,
  LoadOptions,
  LoadSource,
  MergeOptions,
  MergePreview,
  PreparedRequest,
  PrepareOptions,
  QuadPattern,
  ReadOptions,
  Ref,
  Revision,
  Row,
  SparqlText,
  Transaction,
  TransactionOptions,
  UpdateOptions,
} from '../api/index.js';
import { QuadEncoder } from './encode-quads.js';
import type { BlankNodes } from './encode-quads.js';
import { OpenHeldTransaction } from './held-transaction.js';
import {
  COMMIT_OPTIONS,
  LOAD_OPTIONS,
  MERGE_OPTIONS,
  PICK_OPTIONS,
  READ_OPTIONS,
  TRANSACTION_OPTIONS,
  UPDATE_OPTIONS,
  checkBindings,
} from '../options/calls.js';
import { checkOptions, checkSignal } from '../options/check-options.js';
import { checkedUpdate, preparedQuery, prepareText } from '../sparql/prepared.js';
import { checkPattern } from '../read/quads.js';
import { LazyResults } from '../read/results.js';
import { RdfjsView } from '../rdfjs/rdfjs-view.js';
import type { ViewContext } from '../read/view.js';
import { itemsOf } from '../rdfjs/stream-items.js';
import { emitterFor } from '../rdfjs/streams.js';
import { sparqlCall } from '../sparql/sparql-call.js';
import { areFew, asPattern, inBatches, isQuads, quadBatches, quadLength, quadsOf } from './quad-input.js';
import type { QuadInput } from './quad-input.js';
import { OpenTransaction } from './transaction.js';
import { type CommitInfo, Updates } from './updates.js';

/** Code of loads. Each import of a module takes microseconds, also of one that is loaded. */
let loading: typeof import('../load/load.js') | undefined;

/** Longer arrays are written in chunks, like streams. */
const COLLECTED_QUADS = 8192;

export interface WriteContext extends ViewContext {
  /** Repositories with running commits or held transactions. Closing the database waits for them. */
  readonly busy: Set<{ settle(): Promise<void> }>;
}

export class WritableView extends RdfjsView {
  readonly #updates: Updates;
  readonly #commits = new Gate();
  readonly #held = new Set<HeldTransaction>();
  readonly #busy: WriteContext['busy'];

  constructor(context: WriteContext) {
    const head = (): ViewContext['core']['head'] => context.core.head;
    super(context, head, head);
    this.#busy = context.busy;
    this.#updates = new Updates(context);
  }

  get name(): string {
    return this.context.core.name;
  }

  /** Drops held transactions and waits for running commits. The database is closing, so no new ones start. */
  async settle(): Promise<void> {
    for (const transaction of this.#held) await transaction.rollback();
    await this.#commits.quiet();
  }

  // Work that ends without further calls. Closing waits for it.
  async #commit<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    checkSignal(signal);
    this.context.check();
    this.#commits.enter();
    this.#busy.add(this);
    try {
      return await work();
    } finally {
      this.#commits.leave();
      this.#rest();
    }
  }

  #rest(): void {
    if (this.#commits.inside === 0 && this.#held.size === 0) this.#busy.delete(this);
  }

  async load(source: LoadSource, options: LoadOptions = {}): Promise<LoadedRevision> {
    checkOptions(options, LOAD_OPTIONS, 'load');
    const { loadDocument } = (loading ??= await import('../load/load.js'));
    const { core, contexts } = this.context;
    if (contexts === undefined) return loadDocument(core, source, options);
    return loadDocument(core, source, { ...options, contexts: { ...contexts, ...options.contexts } });
  }

  async add(quads: QuadInput, options: CommitOptions = {}): Promise<Revision> {
    checkOptions(options, COMMIT_OPTIONS, 'add');
    const input = quadsOf(quads);
    if (areFew(input, COLLECTED_QUADS)) {
      return this.#commit(options.signal, () => this.context.core.commit(input, [], options));
    }
    return this.addStream(input, options, 'keep');
  }

  /** Adds the quads of a stream as one revision. */
  protected async addStream(
    quads: Iterable<RDF.Quad> | AsyncIterable<RDF.Quad>,
    options: CommitOptions,
    blankNodes: BlankNodes,
  ): Promise<Revision> {
    checkSignal(options.signal);
    const { core } = this.context;
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

  remove(quads: QuadInput | QuadPattern, options?: CommitOptions): Promise<Revision>;
  remove(stream: RDF.Stream<RDF.Quad>): EventEmitter;
  remove(
    input: QuadInput | QuadPattern | RDF.Stream<RDF.Quad>,
    options: CommitOptions = {},
  ): Promise<Revision> | EventEmitter {
    if (isStream(input)) return emitterFor(() => this.#remove(itemsOf<RDF.Quad>(input, quadLength), {}));
    return this.#remove(input, options);
  }

  async #remove(input: QuadInput | QuadPattern, options: CommitOptions): Promise<Revision> {
    checkOptions(options, COMMIT_OPTIONS, 'remove');
    if (!isQuads(input)) {
      checkPattern(input);
      return this.#commit(options.signal, () => this.context.core.removeMatches(asPattern(input), options));
    }
    const quads: RDF.Quad[] = [];
    await inBatches(quadsOf(input), (batch) => void quads.push(...batch));
    return this.#commit(options.signal, () => this.context.core.commit([], quads, options));
  }

  readonly update = sparqlCall(async (text: SparqlText, options: UpdateOptions = {}): Promise<Revision> => {
    checkOptions(options, UPDATE_OPTIONS, 'update');
    checkBindings(options.bindings);
    const { message, author, ifRevision, id, records, ...query } = options;
    const info = { message, author, ifRevision, id, records };
    return this.#commit(undefined, () => this.#updates.run(text, query, info));
  });

  override async prepare<R extends object = Row, B extends object = Bindings>(
    text: SparqlText,
    options: PrepareOptions = {},
  ): Promise<PreparedRequest<R, B>> {
    const prepared = await prepareText(this.context.engine, text, options, await this.context.prefixes());
    return {
      ...preparedQuery(prepared, this),
      update: async (given) => this.update(prepared.request, checkedUpdate(given)),
    };
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

  async begin(): Promise<HeldTransaction> {
    this.context.check();
    const transaction = await OpenHeldTransaction.begin(
      this.context,
      (signal, work) => this.#commit(signal, work),
      (ended) => {
        this.#held.delete(ended);
        this.#rest();
      },
    );
    this.#held.add(transaction);
    this.#busy.add(this);
    return transaction;
  }

  async #transact(
    run: (transaction: OpenTransaction) => Promise<void> | void,
    commit: CommitInfo,
    retries: number,
  ): Promise<Revision> {
    const { core } = this.context;
    const prefixes = await this.context.prefixes();
    for (let left = retries; ; left--) {
      const transaction = new OpenTransaction(await core.begin(), this.context, prefixes);
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
    return this.#commit(options.signal, () => this.context.core.revert(ref, options));
  }

  async merge(source: Ref, options: MergeOptions = {}): Promise<Revision> {
    checkOptions(options, MERGE_OPTIONS, 'merge');
    checkOnConflict(options.onConflict);
    return this.#commit(options.signal, () => this.context.core.merge(source, options, options));
  }

  async cherryPick(ref: Ref, options: Omit<MergeOptions, 'strategy' | 'fastForward'> = {}): Promise<Revision> {
    checkOptions(options, PICK_OPTIONS, 'cherryPick');
    checkOnConflict(options.onConflict);
    return this.#commit(options.signal, () => this.context.core.cherryPick(ref, options, options));
  }

  async previewMerge(source: Ref, options: MergeOptions = {}): Promise<MergePreview> {
    checkOptions(options, MERGE_OPTIONS, 'previewMerge');
    const preview = await this.context.core.previewMerge(source, options);
    return {
      ...preview,
      changes: (reading?: ReadOptions) => {
        checkOptions(reading, READ_OPTIONS, 'changes');
        return new LazyResults(() => preview.changes(), this.ends(reading));
      },
    };
  }

  async reset(ref: Ref, options: CommitOptions = {}): Promise<Revision> {
    checkOptions(options, COMMIT_OPTIONS, 'reset');
    return this.#commit(options.signal, () => this.context.core.reset(ref, options));
  }
}

function checkOnConflict(value: unknown): void {
  if (value === undefined || typeof value === 'function' || ['fail', 'ours', 'theirs'].includes(value as string))
    return;
  throw new InvalidArgumentError('INVALID_OPTION', 'merge: onConflict is fail, ours, theirs or a function', {
    details: { option: 'onConflict' },
  });
}

function isStream(input: unknown): input is RDF.Stream<RDF.Quad> {
  if (typeof input !== 'object' || input === null) return false;
  const { on, read } = input as { on?: unknown; read?: unknown };
  return typeof on === 'function' && (typeof read === 'function' || !(Symbol.iterator in input));
}

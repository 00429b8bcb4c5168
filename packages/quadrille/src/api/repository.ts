/** A repository. */
import type * as RDF from '@rdfjs/types';
import type { Ref, Revision, VerifyReport } from '@quadrille/core';
import type { CommitOptions, ImportOptions, TransactionOptions, UpdateOptions } from './commit.js';
import type { DiffEntry, HistoryEvent, HistoryOptions, LogOptions } from './history.js';
import type { LoadOptions, LoadSource } from './load.js';
import type { PrepareOptions, PreparedRequest } from './prepared.js';
import type { QuadPattern, ReadOptions, Results, SparqlCall, SparqlText } from './query.js';
import type { ReadView } from './read-view.js';
import type { Metadata, Namespaces, RepositoryStats, SpaceReport, Tags } from './repository-parts.js';
import type { HeldTransaction, Transaction } from './transaction.js';

/** A named, versioned set of quads. */
export interface Repository extends ReadView, RDF.Store, AsyncDisposable {
  /** `account/repository`. */
  readonly name: string;
  load(source: LoadSource, options?: LoadOptions): Promise<Revision>;
  add(quads: RDF.Quad | Iterable<RDF.Quad> | AsyncIterable<RDF.Quad>, options?: CommitOptions): Promise<Revision>;
  /** With quads or a pattern ours; with a stream that of RDF/JS. */
  remove(quads: RDF.Quad | Iterable<RDF.Quad> | QuadPattern, options?: CommitOptions): Promise<Revision>;
  remove(stream: RDF.Stream<RDF.Quad>): ReturnType<RDF.Store['remove']>;
  /** Adds the quads of a stream, as one revision; the emitter says `end` or `error`. */
  import(stream: RDF.Stream<RDF.Quad>, options?: ImportOptions): ReturnType<RDF.Store['import']>;
  readonly update: SparqlCall<Promise<Revision>, UpdateOptions>;
  /** Also takes an update. */
  prepare(text: SparqlText, options?: PrepareOptions): Promise<PreparedRequest>;
  transaction(run: (transaction: Transaction) => Promise<void> | void, options?: TransactionOptions): Promise<Revision>;
  /** A transaction that stays open across calls. A concurrent commit makes its commit fail with `REVISION_CONFLICT`. */
  begin(): Promise<HeldTransaction>;
  /** The content of a revision, to read: writing through it is `READ_ONLY`. */
  at(ref: Ref): ReadView;
  log(options?: LogOptions): Results<Revision>;
  diff(from: Ref, to?: Ref, options?: ReadOptions): Results<DiffEntry>;
  /** A new revision that undoes that one, as far as its changes still stand. */
  revert(ref: Ref, options?: CommitOptions): Promise<Revision>;
  /** Brings back the content of that revision, as a new one: history is never rewritten. */
  reset(ref: Ref, options?: CommitOptions): Promise<Revision>;
  /** When the quads that match came and went: quad after quad, those of one quad by revision. */
  history(pattern?: QuadPattern, options?: HistoryOptions): Results<HistoryEvent>;
  readonly namespaces: Namespaces;
  /** What holds in queries without being declared there: the namespaces of the account, and those of the repository, which win. */
  prefixes(): Promise<Readonly<Record<string, string>>>;
  readonly tags: Tags;
  readonly metadata: Metadata;
  stats(): Promise<RepositoryStats>;
  verify(): Promise<VerifyReport>;
  /** Makes the indexes anew from the log. */
  rebuild(): Promise<SpaceReport>;
  /** Merges, drops what nothing uses and gives space back. Never drops a revision. */
  compact(): Promise<SpaceReport>;
}

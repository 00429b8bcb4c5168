/** A repository of a server. */
import {
  type BranchesOf,
  remoteBranches,
  type RemoteMaintenance,
  remoteMaintenance,
  type RemoteNamespaces,
  remoteNamespaces,
  type RemoteProof,
  remoteProof,
  type RemoteSettings,
  remoteSettings,
  type RemoteSync,
  remoteSync,
  type RemoteTags,
  remoteTags,
} from './remote-parts.js';
import { events } from './remote-history.js';
import { RemoteView } from './remote-view.js';
import { type Request, Requests } from './requests.js';
import { shapesReport } from './shapes-report.js';
import { followed, watched } from './remote-feed.js';
import { bodyOf, changeHeaders, loadDocument, previewLoad, revisionIn } from './remote-load.js';
import { deletionOf, isQuads, linesOf, type Quads, updateOf } from './sent-changes.js';
import { inTransaction, type RemoteTransaction } from './remote-transaction.js';
import { patternParameters, revisionPath, textOf } from './texts.js';
import type {
  Change,
  ChangeOptions,
  ChangePreview,
  DryRun,
  HistoryEvent,
  HistoryOptions,
  LiveOptions,
  LiveUpdate,
  LoadDocumentOptions,
  LoadSource,
  QuadPattern,
  Ref,
  Results,
  Revision,
  ShapesReport,
  UpdateOptions,
  ValidateOptions,
  WatchOptions,
} from './types.js';

/**
 * The branches of a repository of a server.
 * @since 0.1.0
 */
export type RemoteBranches = BranchesOf<RemoteRepository>;

/**
 * A repository of a server, with the calls of the library. Each change is one revision. A call that changes something asks the server
 * once more, for its revision.
 * @since 0.1.0
 */
export class RemoteRepository extends RemoteView {
  readonly #requests: Requests;
  /** The branches. */
  readonly branches: RemoteBranches;
  /** Names for revisions. */
  readonly tags: RemoteTags;
  /** The prefixes of the repository. */
  readonly namespaces: RemoteNamespaces;
  /** The settings, as the server tells them. */
  readonly settings: RemoteSettings;
  /** The exchange with other copies. */
  readonly sync: RemoteSync;
  /** Hashes, by which copies are compared. */
  readonly proof: RemoteProof;
  /** The care of the repository, for its owner. */
  readonly maintenance: RemoteMaintenance;

  /** @internal */
  constructor(requests: Requests) {
    super(requests);
    this.#requests = requests;
    const onBranch = (branch: string): RemoteRepository =>
      new RemoteRepository(new Requests({ ...requests.place, branch }));
    this.branches = remoteBranches(requests, onBranch);
    this.tags = remoteTags(requests);
    this.namespaces = remoteNamespaces(requests);
    this.settings = remoteSettings(requests);
    this.sync = remoteSync(requests);
    this.proof = remoteProof(requests);
    this.maintenance = remoteMaintenance(requests);
  }

  /** The address of the repository. */
  get url(): string {
    return this.#requests.place.url;
  }

  /** The name of the branch that calls read and write; `undefined` for the default one of the server. */
  get branch(): string | undefined {
    return this.#requests.place.branch;
  }

  /** Read access to a revision. */
  at(ref: Ref): RemoteView {
    return new RemoteView(this.#requests, ref);
  }

  async #change(request: Request, options: ChangeOptions): Promise<Revision> {
    const headers = { ...request.headers, ...changeHeaders(options) };
    const { signal } = options;
    return this.#revisionOf(await revisionIn(await this.#requests.send({ ...request, headers, signal })), options);
  }

  #revisionOf(id: string | undefined, { signal }: ChangeOptions): Promise<Revision> {
    return id === undefined ? this.revision({ signal }) : new RemoteView(this.#requests, id).revision({ signal });
  }

  /** Adds quads. Blank nodes become new nodes: labels mean nothing to a server. */
  async add(quads: Quads, options: ChangeOptions = {}): Promise<Revision> {
    return this.load({ text: await linesOf(quads) }, { ...options, format: 'nq' });
  }

  /**
   * Removes quads, or the matches of a pattern.
   * @throws ClientError `INVALID_TERM` for quads with blank nodes: a pattern, or an update, can find them
   */
  async remove(input: Quads | QuadPattern, options: ChangeOptions = {}): Promise<Revision> {
    if (!isQuads(input))
      return this.#change({ method: 'DELETE', path: '/statements', parameters: patternParameters(input) }, options);
    return this.#change(updateOf(await deletionOf(input)), options);
  }

  /** What a load would add and remove now. It changes nothing. */
  load(source: LoadSource, options: LoadDocumentOptions & DryRun): Promise<ChangePreview>;
  /** Adds a document of any format of the server as one revision. With `replace` it takes the place of what there is. */
  load(source: LoadSource, options: LoadDocumentOptions): Promise<Revision>;
  async load(source: LoadSource, given: LoadDocumentOptions & Partial<DryRun>): Promise<Revision | ChangePreview> {
    const { dryRun = false, ...options } = given;
    if (dryRun) return previewLoad(this.#requests, source, options);
    return this.#revisionOf(await loadDocument(this.#requests, source, options), options);
  }

  /** Applies RDF Patch as one revision. */
  async patch(document: string | LoadSource, options: ChangeOptions = {}): Promise<Revision> {
    const headers = { 'Content-Type': 'application/rdf-patch' };
    return this.#change({ method: 'POST', path: '/changes', headers, body: bodyOf(document) }, options);
  }

  /** Validates a revision against shapes. */
  async validate(options: ValidateOptions = {}): Promise<ShapesReport> {
    return shapesReport(this.#requests, options);
  }

  /** What an update would add and remove now. It changes nothing. */
  update(text: string, options: UpdateOptions & DryRun): Promise<ChangePreview>;
  /** Runs SPARQL Update as one revision. */
  update(text: string, options?: UpdateOptions): Promise<Revision>;
  update(strings: TemplateStringsArray, ...values: readonly unknown[]): Promise<Revision>;
  async update(text: string | TemplateStringsArray, ...given: readonly unknown[]): Promise<Revision | ChangePreview> {
    if (typeof text !== 'string') return this.#change(updateOf(textOf(text, given)), {});
    const { dryRun = false, ...options } = (given[0] ?? {}) as UpdateOptions & Partial<DryRun>;
    const request = updateOf(text, options);
    if (!dryRun) return this.#change(request, options);
    const headers = { ...request.headers, ...changeHeaders(options) };
    const parameters = { ...request.parameters, 'dry-run': '1' };
    return this.#requests.json({ ...request, headers, parameters, signal: options.signal });
  }

  /**
   * Runs a function on a transaction that the server keeps open, and commits its changes as one revision when it returns. If the function
   * throws, everything is dropped and the error is passed on. Each call of the transaction is a request.
   * @param options `retries`: how often the function runs again on the new head after a conflict with another commit; default 0
   * @throws ClientError `REVISION_CONFLICT` if another commit changed a predicate that the transaction has read, after all retries
   */
  async transaction(
    run: (transaction: RemoteTransaction) => Promise<void> | void,
    options: ChangeOptions & { readonly retries?: number | undefined } = {},
  ): Promise<Revision> {
    return this.#revisionOf(await inTransaction(this.#requests, run, options), options);
  }

  /**
   * When the matching quads came and went, sorted by quad and then by revision. The server is asked once for each revision that is named.
   */
  history(pattern: QuadPattern = {}, options: HistoryOptions = {}): Results<HistoryEvent> {
    return events(this.#requests, pattern, options);
  }

  /** Follows the repository: revisions as they are published. It goes on after broken connections, without a gap and without repetition. */
  watch(options: WatchOptions = {}): AsyncIterableIterator<Change, undefined> {
    return watched(this.#requests, options);
  }

  /** Follows the answer of a SELECT: the whole answer, then what each revision changes in it. */
  live(text: string, options: LiveOptions = {}): AsyncIterableIterator<LiveUpdate, undefined> {
    return followed(this.#requests, text, options);
  }

  /** Creates a revision that undoes the changes of another one. */
  async revert(ref: Ref, options: ChangeOptions = {}): Promise<Revision> {
    return this.#change({ method: 'POST', path: `${revisionPath(ref)}/revert` }, options);
  }

  /** What `console.log` shows. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return `RemoteRepository ${this.url} (branch ${this.branch ?? 'of the server'})`;
  }
}

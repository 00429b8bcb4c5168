/** A repository of a server. */
import { termToNTriples } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { ClientError } from './client-error.js';
import {
  type BranchesOf,
  remoteBranches,
  type RemoteMaintenance,
  remoteMaintenance,
  type RemoteNamespaces,
  remoteNamespaces,
  type RemoteSettings,
  remoteSettings,
  type RemoteTags,
  remoteTags,
} from './remote-parts.js';
import { RemoteView } from './remote-view.js';
import { type Request, Requests } from './requests.js';
import { shapesReport } from './shapes-report.js';
import { followed, watched } from './remote-feed.js';
import { bodyOf, changeHeaders, loadDocument, previewLoad, revisionIn } from './remote-load.js';
import { hasBlankNode, lineOf, patternParameters, queryParameters, refText, textOf } from './texts.js';
import type {
  Change,
  ChangeOptions,
  ChangePreview,
  DryRun,
  LiveOptions,
  LiveUpdate,
  LoadDocumentOptions,
  LoadSource,
  QuadPattern,
  Ref,
  Revision,
  ShapesReport,
  UpdateOptions,
  ValidateOptions,
  WatchOptions,
} from './types.js';

type Quads = RDF.Quad | Iterable<RDF.Quad> | AsyncIterable<RDF.Quad>;

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
  /** The branches. */
  readonly branches: RemoteBranches;
  /** Names for revisions. */
  readonly tags: RemoteTags;
  /** The prefixes of the repository. */
  readonly namespaces: RemoteNamespaces;
  /** The settings, as the server tells them. */
  readonly settings: RemoteSettings;
  /** The care of the repository, for its owner. */
  readonly maintenance: RemoteMaintenance;

  /** @internal */
  constructor(requests: Requests) {
    super(requests);
    const onBranch = (branch: string): RemoteRepository =>
      new RemoteRepository(new Requests({ ...requests.place, branch }));
    this.branches = remoteBranches(requests, onBranch);
    this.tags = remoteTags(requests);
    this.namespaces = remoteNamespaces(requests);
    this.settings = remoteSettings(requests);
    this.maintenance = remoteMaintenance(requests);
  }

  /** The address of the repository. */
  get url(): string {
    return this.requests.place.url;
  }

  /** The name of the branch that calls read and write; `undefined` for the default one of the server. */
  get branch(): string | undefined {
    return this.requests.place.branch;
  }

  /** Read access to a revision. */
  at(ref: Ref): RemoteView {
    return new RemoteView(this.requests, ref);
  }

  async #change(request: Request, options: ChangeOptions): Promise<Revision> {
    const headers = { ...request.headers, ...changeHeaders(options) };
    const { signal } = options;
    return this.#revisionOf(await revisionIn(await this.requests.send({ ...request, headers, signal })), options);
  }

  #revisionOf(id: string | undefined, { signal }: ChangeOptions): Promise<Revision> {
    return id === undefined ? this.revision({ signal }) : new RemoteView(this.requests, id).revision({ signal });
  }

  /** Adds quads. Blank nodes become new nodes: labels mean nothing to a server. */
  async add(quads: Quads, options: ChangeOptions = {}): Promise<Revision> {
    let text = '';
    for await (const each of manyOf(quads)) text += lineOf(each);
    return this.load({ text }, { ...options, format: 'nq' });
  }

  /**
   * Removes quads, or the matches of a pattern.
   * @throws ClientError `INVALID_TERM` for quads with blank nodes: a pattern, or an update, can find them
   */
  async remove(input: Quads | QuadPattern, options: ChangeOptions = {}): Promise<Revision> {
    if (!isQuads(input))
      return this.#change({ method: 'DELETE', path: '/statements', parameters: patternParameters(input) }, options);
    let text = '';
    for await (const each of manyOf(input)) {
      if ([each.subject, each.object, each.graph].some((term) => hasBlankNode(term)))
        throw new ClientError('a server cannot find a blank node by its label: remove by a pattern or an update', {
          code: 'INVALID_TERM',
          status: 0,
        });
      text += each.graph.termType === 'DefaultGraph' ? lineOf(each) : inGraph(each);
    }
    return this.#change(updateOf(`DELETE DATA {\n${text}}`), options);
  }

  /** What a load would add and remove now. It changes nothing. */
  load(source: LoadSource, options: LoadDocumentOptions & DryRun): Promise<ChangePreview>;
  /** Adds a document of any format of the server as one revision. With `replace` it takes the place of what there is. */
  load(source: LoadSource, options: LoadDocumentOptions): Promise<Revision>;
  async load(source: LoadSource, given: LoadDocumentOptions & Partial<DryRun>): Promise<Revision | ChangePreview> {
    const { dryRun = false, ...options } = given;
    if (dryRun) return previewLoad(this.requests, source, options);
    return this.#revisionOf(await loadDocument(this.requests, source, options), options);
  }

  /** Applies RDF Patch as one revision. */
  async patch(document: string | LoadSource, options: ChangeOptions = {}): Promise<Revision> {
    const headers = { 'Content-Type': 'application/rdf-patch' };
    return this.#change({ method: 'POST', path: '/changes', headers, body: bodyOf(document) }, options);
  }

  /** Validates a revision against shapes. */
  async validate(options: ValidateOptions = {}): Promise<ShapesReport> {
    return shapesReport(this.requests, options);
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
    return this.requests.json({ ...request, headers, parameters, signal: options.signal });
  }

  /** Follows the repository: revisions as they are published. It goes on after broken connections, without a gap and without repetition. */
  watch(options: WatchOptions = {}): AsyncIterableIterator<Change, undefined> {
    return watched(this.requests, options);
  }

  /** Follows the answer of a SELECT: the whole answer, then what each revision changes in it. */
  live(text: string, options: LiveOptions = {}): AsyncIterableIterator<LiveUpdate, undefined> {
    return followed(this.requests, text, options);
  }

  /** Creates a revision that undoes the changes of another one. */
  async revert(ref: Ref, options: ChangeOptions = {}): Promise<Revision> {
    return this.#change({ method: 'POST', path: `/revisions/${encodeURIComponent(refText(ref))}/revert` }, options);
  }

  /** What `console.log` shows. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return `RemoteRepository ${this.url} (branch ${this.branch ?? 'of the server'})`;
  }
}

const updateOf = (text: string, { timeoutMs, bindings }: UpdateOptions = {}): Request => ({
  method: 'POST',
  path: '/sparql',
  parameters: queryParameters({ timeoutMs, bindings }),
  headers: { 'Content-Type': 'application/sparql-update' },
  body: text,
});

const isQuads = (input: Quads | QuadPattern): input is Quads =>
  Symbol.iterator in input || Symbol.asyncIterator in input || 'equals' in input;

const manyOf = (quads: Quads): Iterable<RDF.Quad> | AsyncIterable<RDF.Quad> =>
  Symbol.iterator in quads || Symbol.asyncIterator in quads ? quads : [quads];

// A line of N-Quads, as a pattern of SPARQL.
function inGraph({ subject, predicate, object, graph }: RDF.Quad): string {
  const [s, p, o, g] = [subject, predicate, object, graph].map((term) => termToNTriples(term));
  return `GRAPH ${g} { ${s} ${p} ${o} }\n`;
}

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
import { hasBlankNode, lineOf, mediaTypeOf, patternParameters, queryParameters, refText, textOf } from './texts.js';
import type {
  ChangeOptions,
  LoadDocumentOptions,
  LoadSource,
  QuadPattern,
  Ref,
  Revision,
  ShapesReport,
  UpdateOptions,
  ValidateOptions,
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

  async #change(request: Request, { message, ifRevision, signal }: ChangeOptions): Promise<Revision> {
    const headers = {
      ...request.headers,
      ...(message !== undefined && { 'Revision-Message': encodeURIComponent(message) }),
      ...(ifRevision !== undefined && { 'If-Match': `"${ifRevision}"` }),
    };
    const response = await this.requests.send({ ...request, headers, signal });
    await response.body?.cancel();
    const id = /"([^"]+)"/.exec(response.headers.get('ETag') ?? '')?.[1]?.slice(0, 36);
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
    return this.#update(`DELETE DATA {\n${text}}`, options);
  }

  /** Adds a document of any format of the server as one revision. With `replace` it takes the place of what there is. */
  async load(
    source: LoadSource,
    { format, graph, baseIRI, replace = false, ...change }: LoadDocumentOptions,
  ): Promise<Revision> {
    const context = graph === undefined ? undefined : `<${graph.value}>`;
    const headers = { 'Content-Type': mediaTypeOf(format) };
    const parameters = { context, baseURI: baseIRI };
    const method = replace ? 'PUT' : 'POST';
    return this.#change({ method, path: '/statements', parameters, headers, body: bodyOf(source) }, change);
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

  /** Runs SPARQL Update as one revision. */
  update(text: string, options?: UpdateOptions): Promise<Revision>;
  update(strings: TemplateStringsArray, ...values: readonly unknown[]): Promise<Revision>;
  update(text: string | TemplateStringsArray, ...given: readonly unknown[]): Promise<Revision> {
    if (typeof text !== 'string') return this.#update(textOf(text, given), {});
    return this.#update(text, (given[0] as UpdateOptions | undefined) ?? {});
  }

  async #update(text: string, { timeoutMs, bindings, ...change }: UpdateOptions): Promise<Revision> {
    const headers = { 'Content-Type': 'application/sparql-update' };
    const parameters = queryParameters({ timeoutMs, bindings });
    return this.#change({ method: 'POST', path: '/sparql', parameters, headers, body: text }, change);
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

const bodyOf = (source: string | LoadSource): BodyInit =>
  (typeof source === 'object' && 'text' in source && typeof source.text === 'string'
    ? source.text
    : source) as BodyInit;

const isQuads = (input: Quads | QuadPattern): input is Quads =>
  Symbol.iterator in input || Symbol.asyncIterator in input || 'equals' in input;

const manyOf = (quads: Quads): Iterable<RDF.Quad> | AsyncIterable<RDF.Quad> =>
  Symbol.iterator in quads || Symbol.asyncIterator in quads ? quads : [quads];

// A line of N-Quads, as a pattern of SPARQL.
function inGraph({ subject, predicate, object, graph }: RDF.Quad): string {
  const [s, p, o, g] = [subject, predicate, object, graph].map((term) => termToNTriples(term));
  return `GRAPH ${g} { ${s} ${p} ${o} }\n`;
}

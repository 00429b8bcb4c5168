/** A repository of a server. */
import { termToNTriples } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { ClientError } from './client-error.js';
import { type BranchRecord, branchOf, type RevisionRecord, revisionOf } from './records.js';
import { RemoteView } from './remote-view.js';
import { type Request, Requests } from './requests.js';
import { LazyResults, type Named, type Results } from './results.js';
import { hasBlankNode, lineOf, mediaTypeOf, patternParameters, queryParameters, refText, textOf } from './texts.js';
import type {
  BranchInfo,
  ChangeOptions,
  LoadDocumentOptions,
  LoadSource,
  MergeOptions,
  MergePreview,
  QuadPattern,
  ReadOptions,
  Ref,
  Revision,
  TagInfo,
  UpdateOptions,
} from './types.js';

type Quads = RDF.Quad | Iterable<RDF.Quad> | AsyncIterable<RDF.Quad>;

/**
 * The branches of a repository of a server.
 * @since 0.1.0
 */
export interface RemoteBranches {
  /** All branches, by their names. */
  list(options?: ReadOptions): Results<BranchInfo>;
  /** A branch; `undefined` if there is none. */
  get(name: string, options?: ReadOptions): Promise<BranchInfo | undefined>;
  /** The repository on another branch, which must be there: `BRANCH_NOT_FOUND`. */
  open(name: string, options?: ReadOptions): Promise<RemoteRepository>;
  /** Creates a branch at `from`, or at the head. */
  create(name: string, options?: ReadOptions & { readonly from?: Ref | undefined }): Promise<BranchInfo>;
  /** Gives a branch another name. */
  rename(name: string, to: string, options?: ReadOptions): Promise<void>;
  /** Deletes a branch; with `force` also if no other branch has its revisions. False if there is none. */
  delete(name: string, options?: ReadOptions & { readonly force?: boolean | undefined }): Promise<boolean>;
  /** Merges a branch into this one. Conflicts are `MERGE_CONFLICT`, with `details`. */
  merge(source: string, options?: MergeOptions & { readonly dryRun?: false | undefined }): Promise<Revision>;
  /** What a merge would do now. It changes nothing. */
  merge(source: string, options: MergeOptions & { readonly dryRun: true }): Promise<MergePreview>;
}

/**
 * A repository of a server, with the calls of the library. Each change is one revision. A call that changes something asks the server
 * once more, for its revision.
 * @since 0.1.0
 */
export class RemoteRepository extends RemoteView {
  /** The branches. */
  readonly branches: RemoteBranches;
  /** Names for revisions. */
  readonly tags: {
    list(options?: ReadOptions): Results<TagInfo>;
    get(name: string, options?: ReadOptions): Promise<Revision | undefined>;
    set(name: string, ref: Ref, options?: ReadOptions): Promise<Revision>;
    delete(name: string, options?: ReadOptions): Promise<boolean>;
  };
  /** The prefixes of the repository. */
  readonly namespaces: {
    list(options?: ReadOptions): Promise<Named<string>>;
    get(prefix: string, options?: ReadOptions): Promise<string | undefined>;
    set(prefix: string, iri: string, options?: ReadOptions): Promise<void>;
    delete(prefix: string, options?: ReadOptions): Promise<boolean>;
  };
  /** The settings, as the server tells them. */
  readonly settings: {
    get(options?: ReadOptions): Promise<Named<unknown>>;
    set(change: Named<unknown>, options?: ReadOptions): Promise<Named<unknown>>;
  };

  /** @internal */
  constructor(requests: Requests) {
    super(requests);
    this.branches = remoteBranches(requests);
    this.tags = remoteTags(this, requests);
    this.namespaces = remoteNamespaces(requests);
    this.settings = {
      get: (options) => requests.json({ path: '/settings', signal: options?.signal }),
      set: (change, options) =>
        requests.json({ method: 'PATCH', path: '/settings', ...jsonBody(change), signal: options?.signal }),
    };
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
    const body = ('text' in source && typeof source.text === 'string' ? source.text : source) as BodyInit;
    const headers = { 'Content-Type': mediaTypeOf(format) };
    const parameters = { context, baseURI: baseIRI };
    return this.#change({ method: replace ? 'PUT' : 'POST', path: '/statements', parameters, headers, body }, change);
  }

  /** Applies RDF Patch as one revision. */
  async patch(document: string, options: ChangeOptions = {}): Promise<Revision> {
    const headers = { 'Content-Type': 'application/rdf-patch' };
    return this.#change({ method: 'POST', path: '/changes', headers, body: document }, options);
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

const jsonBody = (value: unknown): Pick<Request, 'headers' | 'body'> => ({
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(value),
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

/** `undefined` where the server says that there is nothing. */
async function found<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ClientError && error.status === 404 && !error.code.startsWith('REPOSITORY')) return undefined;
    throw error;
  }
}

function remoteBranches(requests: Requests): RemoteBranches {
  const pathOf = (name: string): string => `/branches/${encodeURIComponent(name)}`;
  const get = async (name: string, { signal }: ReadOptions = {}): Promise<BranchInfo> =>
    branchOf(await requests.json<BranchRecord>({ path: pathOf(name), signal }));
  const merge = async (
    source: string,
    { signal, dryRun = false, ...how }: MergeOptions & { readonly dryRun?: boolean | undefined } = {},
  ): Promise<Revision | MergePreview> => {
    const path = `${pathOf(source)}/merge`;
    const asked = { method: 'POST', path, ...jsonBody(how), signal } as const;
    if (!dryRun) return revisionOf(await requests.json<RevisionRecord>(asked));
    const { added, removed, conflictCount } = await requests.json<MergePreview>({
      ...asked,
      parameters: { preview: '1' },
    });
    return { added, removed, conflictCount };
  };
  return {
    list: ({ signal } = {}) =>
      new LazyResults(async function* () {
        yield* (await requests.json<readonly BranchRecord[]>({ path: '/branches', signal })).map(branchOf);
      }),
    get: (name, options) => found(get(name, options)),
    async open(name, options) {
      await get(name, options);
      return new RemoteRepository(new Requests({ ...requests.place, branch: name }));
    },
    create: async (name, { from, signal } = {}) =>
      branchOf(
        await requests.json<BranchRecord>({
          method: 'PUT',
          path: pathOf(name),
          parameters: { from: from === undefined ? undefined : refText(from) },
          signal,
        }),
      ),
    async rename(name, to, { signal } = {}) {
      await requests.send({ method: 'PATCH', path: pathOf(name), ...jsonBody({ name: to }), signal });
    },
    async delete(name, { force = false, signal } = {}) {
      const parameters = force ? { force: '1' } : {};
      return (await found(requests.send({ method: 'DELETE', path: pathOf(name), parameters, signal }))) !== undefined;
    },
    merge: merge as RemoteBranches['merge'],
  };
}

function remoteTags(repository: RemoteRepository, requests: Requests): RemoteRepository['tags'] {
  const pathOf = (name: string): string => `/refs/${encodeURIComponent(name)}`;
  const get: RemoteRepository['tags']['get'] = async (name, options) =>
    (await found(requests.send({ path: pathOf(name), signal: options?.signal }))) === undefined
      ? undefined
      : repository.at(name).revision(options);
  return {
    list: (options = {}) =>
      new LazyResults(async function* () {
        const { signal } = options;
        for (const name of Object.keys(await requests.json<Named<unknown>>({ path: '/refs', signal })))
          yield { name, revision: await repository.at(name).revision(options) };
      }),
    get,
    async set(name, ref, options = {}) {
      const { signal } = options;
      await requests.send({ method: 'PUT', path: pathOf(name), parameters: { to: refText(ref) }, signal });
      return repository.at(name).revision(options);
    },
    delete: async (name, { signal } = {}) =>
      (await found(requests.send({ method: 'DELETE', path: pathOf(name), signal }))) !== undefined,
  };
}

function remoteNamespaces(requests: Requests): RemoteRepository['namespaces'] {
  const pathOf = (prefix: string): string => `/namespaces/${encodeURIComponent(prefix)}`;
  const list: RemoteRepository['namespaces']['list'] = ({ signal } = {}) =>
    requests.json<Named<string>>({ path: '/namespaces', signal });
  return {
    list,
    get: async (prefix, options) => (await list(options))[prefix],
    async set(prefix, iri, { signal } = {}) {
      const headers = { 'Content-Type': 'text/plain' };
      await requests.send({ method: 'PUT', path: pathOf(prefix), headers, body: iri, signal });
    },
    async delete(prefix, options = {}) {
      if ((await list(options))[prefix] === undefined) return false;
      await requests.send({ method: 'DELETE', path: pathOf(prefix), signal: options.signal });
      return true;
    },
  };
}

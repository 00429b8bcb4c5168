/** The parts of a repository of a server: branches, tags, prefixes, settings, its care, and the exchange with other copies. */
import { termToNTriples } from '@quadrille/model';
import { ClientError } from './client-error.js';
import {
  type BranchRecord,
  branchOf,
  mergePreviewOf,
  type MergePreviewRecord,
  type RevisionRecord,
  revisionOf,
} from './records.js';
import { bodyOf, changeHeaders, revisionIn } from './remote-load.js';
import { RemoteView } from './remote-view.js';
import type { Requests } from './requests.js';
import { LazyResults, textOfAnswer } from './results.js';
import { lineOf, pathOf, patternParameters, refText, revisionPath } from './texts.js';
import type {
  BranchInfo,
  ChangeOptions,
  EraseOptions,
  EraseReport,
  EraseTarget,
  ExportHistoryOptions,
  LoadSource,
  MergeOptions,
  MergePreview,
  Named,
  ReadOptions,
  Ref,
  Results,
  Revision,
  TagInfo,
  TrimOptions,
  TrimReport,
} from './types.js';

/**
 * The branches of a repository of a server.
 * @typeParam R - a repository on another branch
 * @since 0.1.0
 */
export interface BranchesOf<R> {
  /** All branches, by their names. */
  list(options?: ReadOptions): Results<BranchInfo>;
  /** A branch; `undefined` if there is none. */
  get(name: string, options?: ReadOptions): Promise<BranchInfo | undefined>;
  /** The repository on another branch, which must be there: `BRANCH_NOT_FOUND`. */
  open(name: string, options?: ReadOptions): Promise<R>;
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
  /** Repeats the changes of a revision of any branch as one revision, with its message. */
  cherryPick(ref: Ref, options?: Omit<MergeOptions, 'strategy' | 'fastForward'>): Promise<Revision>;
  /** Restores the content of a revision in a new one. */
  reset(ref: Ref, options?: ChangeOptions): Promise<Revision>;
}

/**
 * The tags of a repository of a server.
 * @since 0.1.0
 */
export interface RemoteTags {
  /** All tags, by their names. */
  list(options?: ReadOptions): Results<TagInfo>;
  /** The revision of a tag; `undefined` if there is none. */
  get(name: string, options?: ReadOptions): Promise<Revision | undefined>;
  /** Makes a tag, or moves it. */
  set(name: string, ref: Ref, options?: ReadOptions): Promise<Revision>;
  /** Deletes a tag. False if there is none. */
  delete(name: string, options?: ReadOptions): Promise<boolean>;
}

/**
 * The prefixes of a repository of a server.
 * @since 0.1.0
 */
export interface RemoteNamespaces {
  /** Namespaces by their prefixes. */
  list(options?: ReadOptions): Promise<Named<string>>;
  /** The namespace of a prefix; `undefined` if there is none. */
  get(prefix: string, options?: ReadOptions): Promise<string | undefined>;
  /** Declares a prefix. */
  set(prefix: string, iri: string, options?: ReadOptions): Promise<void>;
  /** Removes a prefix. False if there is none. */
  delete(prefix: string, options?: ReadOptions): Promise<boolean>;
}

/**
 * The settings of a repository of a server.
 * @since 0.1.0
 */
export interface RemoteSettings {
  /** All settings. */
  get(options?: ReadOptions): Promise<Named<unknown>>;
  /** Changes some; `null` resets one. */
  set(change: Named<unknown>, options?: ReadOptions): Promise<Named<unknown>>;
}

/**
 * The care of a repository of a server, for its owner.
 * @since 0.1.0
 */
export interface RemoteMaintenance {
  /** Removes old revisions. */
  trim(options?: TrimOptions): Promise<TrimReport>;
  /** Erases quads from all revisions of all branches. */
  erase(target: EraseTarget, options: EraseOptions): Promise<EraseReport>;
}

/**
 * The exchange of a repository of a server with other copies.
 * @since 0.1.0
 */
export interface RemoteSync {
  /** The history as a file in RDF Patch, in pieces of text: of the branch, from revision 1 or after `since`, or of all branches. */
  exportHistory(options?: ExportHistoryOptions): Results<string>;
  /** Appends the revisions of a history file, with their ids, times, authors and messages. The account needs the right `replicate`. */
  importHistory(source: LoadSource, options?: ReadOptions): Promise<Revision>;
}

/**
 * Hashes of a repository of a server, by which copies are compared.
 * @since 0.1.0
 */
export interface RemoteProof {
  /** The digest of the history up to a revision: 64 hexadecimal digits. */
  digest(ref?: Ref, options?: ReadOptions): Promise<string>;
  /** The hash of the quads of a revision: 64 hexadecimal digits. */
  contentHash(ref?: Ref, options?: ReadOptions): Promise<string>;
}

/** `undefined` where the server says that there is nothing. */
async function found<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ClientError && error.status === 404 && !error.code.startsWith('REPOSITORY')) return undefined;
    throw error;
  }
}

export function remoteBranches<R>(requests: Requests, onBranch: (name: string) => R): BranchesOf<R> {
  const pathTo = (name: string): string => pathOf('/branches', name, 'BRANCH_NOT_FOUND');
  const get = async (name: string, { signal }: ReadOptions = {}): Promise<BranchInfo> =>
    branchOf(await requests.json<BranchRecord>({ path: pathTo(name), signal }));
  const merge = async (
    source: string,
    { signal, dryRun = false, ...how }: MergeOptions & { readonly dryRun?: boolean | undefined } = {},
  ): Promise<Revision | MergePreview> => {
    const path = `${pathTo(source)}/merge`;
    const asked = { method: 'POST', path, json: how, signal } as const;
    if (!dryRun) return revisionOf(await requests.json<RevisionRecord>(asked));
    return mergePreviewOf(await requests.json<MergePreviewRecord>({ ...asked, parameters: { preview: '1' } }));
  };
  return {
    list: ({ signal } = {}) =>
      new LazyResults(async function* () {
        yield* (await requests.json<readonly BranchRecord[]>({ path: '/branches', signal })).map(branchOf);
      }),
    get: (name, options) => found(() => get(name, options)),
    async open(name, options) {
      await get(name, options);
      return onBranch(name);
    },
    create: async (name, { from, signal } = {}) =>
      branchOf(
        await requests.json<BranchRecord>({
          method: 'PUT',
          path: pathOf('/branches', name, 'INVALID_NAME', 400),
          parameters: { from: from === undefined ? undefined : refText(from) },
          signal,
        }),
      ),
    async rename(name, to, { signal } = {}) {
      await requests.send({ method: 'PATCH', path: pathTo(name), json: { name: to }, signal });
    },
    async delete(name, { force = false, signal } = {}) {
      const parameters = force ? { force: '1' } : {};
      return (
        (await found(() => requests.send({ method: 'DELETE', path: pathTo(name), parameters, signal }))) !== undefined
      );
    },
    merge: merge as BranchesOf<R>['merge'],
    async cherryPick(ref, { signal, ...how } = {}) {
      const path = `${revisionPath(ref)}/cherry-pick`;
      return revisionOf(await requests.json<RevisionRecord>({ method: 'POST', path, json: how, signal }));
    },
    async reset(ref, options = {}) {
      const { signal } = options;
      const parameters = { to: refText(ref) };
      const asked = { method: 'POST', path: '/reset', parameters, headers: changeHeaders(options), signal } as const;
      return new RemoteView(requests, await revisionIn(await requests.send(asked))).revision({ signal });
    },
  };
}

export function remoteTags(requests: Requests): RemoteTags {
  const revisionAt = (name: string, options: ReadOptions = {}): Promise<Revision> =>
    new RemoteView(requests, name).revision(options);
  const pathTo = (name: string): string => pathOf('/refs', name, 'REVISION_NOT_FOUND');
  const get: RemoteTags['get'] = async (name, options) =>
    (await found(() => requests.send({ path: pathTo(name), signal: options?.signal }))) === undefined
      ? undefined
      : revisionAt(name, options);
  return {
    list: (options = {}) =>
      new LazyResults(async function* () {
        const { signal } = options;
        for (const name of Object.keys(await requests.json<Named<unknown>>({ path: '/refs', signal })))
          yield { name, revision: await revisionAt(name, options) };
      }),
    get,
    async set(name, ref, options = {}) {
      const { signal } = options;
      const path = pathOf('/refs', name, 'INVALID_NAME', 400);
      await requests.send({ method: 'PUT', path, parameters: { to: refText(ref) }, signal });
      return revisionAt(name, options);
    },
    delete: async (name, { signal } = {}) =>
      (await found(() => requests.send({ method: 'DELETE', path: pathTo(name), signal }))) !== undefined,
  };
}

export function remoteNamespaces(requests: Requests): RemoteNamespaces {
  const pathTo = (prefix: string): string => `/namespaces/${encodeURIComponent(prefix)}`;
  const list: RemoteNamespaces['list'] = ({ signal } = {}) =>
    requests.json<Named<string>>({ path: '/namespaces', signal });
  return {
    list,
    get: async (prefix, options) => (await list(options))[prefix],
    async set(prefix, iri, { signal } = {}) {
      const headers = { 'Content-Type': 'text/plain' };
      await requests.send({ method: 'PUT', path: pathTo(prefix), headers, body: iri, signal });
    },
    async delete(prefix, options = {}) {
      if ((await list(options))[prefix] === undefined) return false;
      await requests.send({ method: 'DELETE', path: pathTo(prefix), signal: options.signal });
      return true;
    },
  };
}

export function remoteSettings(requests: Requests): RemoteSettings {
  const path = '/settings';
  return {
    get: ({ signal } = {}) => requests.json({ path, signal }),
    set: (change, { signal } = {}) => requests.json({ method: 'PATCH', path, json: change, signal }),
  };
}

export function remoteMaintenance(requests: Requests): RemoteMaintenance {
  return {
    trim({ from, last, perDay, mode, dryRun, signal } = {}) {
      const parameters = {
        'revision-id': from === undefined ? undefined : refText(from),
        last: last?.toString(),
        'per-day': perDay?.toString(),
        mode,
        'dry-run': dryRun === true ? '1' : undefined,
      };
      return requests.json({ method: 'DELETE', path: '/revisions', parameters, signal });
    },
    erase(target, { reason, dryRun, signal }) {
      const json = { ...targetRecord(target), reason, dryRun };
      return requests.json({ method: 'POST', path: '/erase', json, signal });
    },
  };
}

function targetRecord(target: EraseTarget): object {
  if ('term' in target) return { term: termToNTriples(target.term) };
  if ('quads' in target) return { quads: [...target.quads].map((quad) => lineOf(quad)).join('') };
  const { subj, pred, obj } = patternParameters(target.pattern);
  const { graph } = target.pattern;
  const named = graph && (graph.termType === 'DefaultGraph' ? 'default' : termToNTriples(graph));
  return { pattern: { subject: subj, predicate: pred, object: obj, graph: named ?? undefined } };
}

const RDF_PATCH = 'application/rdf-patch';

export function remoteSync(requests: Requests): RemoteSync {
  const path = '/changes';
  return {
    exportHistory({ since, branches, signal } = {}) {
      const parameters = {
        history: '1',
        since: since === undefined ? undefined : refText(since),
        branches: branches === 'all' ? branches : undefined,
      };
      return new LazyResults(async function* () {
        yield* textOfAnswer(await requests.send({ path, parameters, accept: RDF_PATCH, signal }), signal);
      });
    },
    async importHistory(source, { signal } = {}) {
      const headers = { 'Content-Type': RDF_PATCH };
      const sent = { method: 'POST', path, parameters: { history: '1' }, headers, body: bodyOf(source) } as const;
      return new RemoteView(requests, await revisionIn(await requests.send({ ...sent, signal }))).revision({ signal });
    },
  };
}

export function remoteProof(requests: Requests): RemoteProof {
  const hashes = (ref: Ref = 'HEAD', { signal }: ReadOptions = {}): Promise<Named<string>> =>
    requests.json({ path: '/digest', parameters: { 'revision-id': refText(ref) }, signal });
  return {
    digest: async (ref, options) => (await hashes(ref, options))['digest']!,
    contentHash: async (ref, options) => (await hashes(ref, options))['contentHash']!,
  };
}

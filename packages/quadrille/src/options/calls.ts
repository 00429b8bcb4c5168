/** The options of each call, with the rules for their values. */
import { MAX_AUTHOR_BYTES, MAX_MESSAGE_BYTES } from '@quadrille/core';
import { InvalidArgumentError } from '@quadrille/model';
import type {
  AddOptions,
  BlameOptions,
  CollectGarbageOptions,
  DeleteBranchOptions,
  DeleteRepositoryOptions,
  DiskCacheOptions,
  DryRun,
  DumpOptions,
  ExplainOptions,
  ExportHistoryOptions,
  ForkOptions,
  HistoryOptions,
  JoinOptions,
  LoadOptions,
  LogOptions,
  MergeOptions,
  MoveOptions,
  OpenBranchOptions,
  OpenOptions,
  PatchOptions,
  PublishOptions,
  PullOptions,
  QueryLimits,
  ReadOptions,
  RecoverOptions,
  ReplicationOptions,
  RepositoryOptions,
  SelectOptions,
  SignOptions,
  SyncReadOptions,
  TransactionOptions,
  VerifyProofOptions,
  WatchOptions,
} from '../api/index.js';
import type {
  HostCommitOptions,
  HostImportOptions,
  HostLiveOptions,
  HostPrepareOptions,
  HostQueryOptions,
  HostUpdateOptions,
  RefreshOptions,
} from '../host/host-types.js';
import type { Rule, Rules } from './check-options.js';
import {
  aBackend,
  aFunction,
  aggregatesByIri,
  anObject,
  checkedLater,
  count,
  contextsByAddress,
  functionsByIri,
  iterables,
  limit,
  milliseconds,
  oneOf,
  signal,
  termsByName,
  text,
  textOf,
  texts,
  trueOrFalse,
  withMethods,
} from './rules.js';

export const READ_OPTIONS: Rules<ReadOptions> = { signal };

export const SYNC_READ_OPTIONS: Rules<SyncReadOptions> = { limit: count('quads') };

/** The graph is a term: INVALID_TERM says what is wrong with it. The options of JSON-LD are checked where a dump begins. */
export const DUMP_OPTIONS: Rules<DumpOptions> = {
  ...READ_OPTIONS,
  graph: checkedLater,
  graphs: oneOf('drop'),
  canonical: trueOrFalse,
  jsonLd: checkedLater,
};

type SparqlOptions = Omit<HostQueryOptions, 'extraGraphs'>;
/** Of queries and updates. */
export const SPARQL_OPTIONS: Rules<SparqlOptions> = {
  ...READ_OPTIONS,
  timeoutMs: milliseconds,
  task: withMethods('cancel', 'end'),
  bindings: termsByName,
  baseIRI: text,
  defaultGraphUris: texts,
  namedGraphUris: texts,
  unionDefaultGraph: trueOrFalse,
  memoryBytes: limit('bytes'),
  extensionFunctions: functionsByIri,
  maxRows: limit('rows'),
};
export const QUERY_OPTIONS: Rules<HostQueryOptions> = { ...SPARQL_OPTIONS, extraGraphs: iterables };
export const LIVE_OPTIONS: Rules<HostLiveOptions> = { ...QUERY_OPTIONS, since: checkedLater, evaluate: aFunction };
export const SELECT_OPTIONS: Rules<SelectOptions> = { ...QUERY_OPTIONS, values: oneOf('terms', 'js') };
export const EXPLAIN_OPTIONS: Rules<ExplainOptions> = { ...QUERY_OPTIONS, analyze: trueOrFalse };
export const PREPARE_OPTIONS: Rules<HostPrepareOptions> = {
  baseIRI: SPARQL_OPTIONS.baseIRI,
  task: SPARQL_OPTIONS.task,
};

export const COMMIT_OPTIONS: Rules<HostCommitOptions> = {
  ...READ_OPTIONS,
  message: textOf(MAX_MESSAGE_BYTES),
  author: textOf(MAX_AUTHOR_BYTES),
  // Any form of a revision: INVALID_REF says what is possible.
  ifRevision: checkedLater,
  id: text,
  records: aFunction,
};
export const ADD_OPTIONS: Rules<AddOptions> = { ...COMMIT_OPTIONS, blankNodes: oneOf('keep', 'scope') };
export const PATCH_OPTIONS: Rules<PatchOptions> = { ...COMMIT_OPTIONS, sourceName: text };
export const UPDATE_OPTIONS: Rules<HostUpdateOptions & Partial<DryRun>> = {
  ...SPARQL_OPTIONS,
  ...COMMIT_OPTIONS,
  dryRun: trueOrFalse,
};
export const TRANSACTION_OPTIONS: Rules<TransactionOptions> = { ...COMMIT_OPTIONS, retries: count('times') };

export const LOAD_OPTIONS: Rules<LoadOptions & Partial<DryRun>> = {
  ...PATCH_OPTIONS,
  dryRun: trueOrFalse,
  format: text,
  mapping: text,
  // A term: INVALID_TERM says what is wrong with it.
  graph: checkedLater,
  baseIRI: text,
  replace: trueOrFalse,
  onProgress: aFunction,
  onError: oneOf('fail', 'skip'),
  maxErrors: count('lines'),
  safe: trueOrFalse,
  onProblem: aFunction,
  bytesTotal: count('bytes'),
  bytesRead: aFunction,
  maxBytes: limit('bytes'),
  maxRatio: limit('times'),
  contexts: contextsByAddress,
  loadDocument: aFunction,
  jsonLd: checkedLater,
};

export const LOG_OPTIONS: Rules<LogOptions> = {
  ...READ_OPTIONS,
  limit: count('revisions'),
  before: checkedLater,
  branches: oneOf('all', 'this'),
  author: text,
  message: text,
  from: checkedLater,
  to: checkedLater,
  pattern: checkedLater,
};
export const BLAME_OPTIONS: Rules<BlameOptions> = { ...READ_OPTIONS, at: checkedLater, removed: trueOrFalse };
/** `pattern` is checked as that of any other call. */
export const WATCH_OPTIONS: Rules<WatchOptions> = { ...READ_OPTIONS, since: checkedLater, pattern: checkedLater };
export const HISTORY_OPTIONS: Rules<HistoryOptions> = { ...READ_OPTIONS, from: checkedLater, to: checkedLater };
export const EXPORT_OPTIONS: Rules<ExportHistoryOptions> = {
  ...READ_OPTIONS,
  since: checkedLater,
  to: checkedLater,
  branches: oneOf('all', 'this'),
};
export const IMPORT_HISTORY_OPTIONS: Rules<HostImportOptions> = {
  ...READ_OPTIONS,
  onProgress: aFunction,
  sourceName: LOAD_OPTIONS.sourceName,
  bytesTotal: LOAD_OPTIONS.bytesTotal,
  onBranch: aFunction,
};

/** Offsets in the cache are numbers of 31 bits. */
const MOST_CACHE_BYTES = 2 ** 31 - 1;

const MOST_WORKERS = 64;

const TOKEN: Rule = (value) => (typeof value === 'string' && /^[\x21-\x7e]+$/.test(value) ? undefined : 'a token');
export const PUSH_OPTIONS: Rules<ReplicationOptions> = { ...READ_OPTIONS, token: TOKEN };
export const PULL_OPTIONS: Rules<PullOptions> = {
  ...PUSH_OPTIONS,
  onProgress: IMPORT_HISTORY_OPTIONS.onProgress,
  merge: trueOrFalse,
  branches: oneOf('all', 'this'),
};

const history: Rule = (value) =>
  value === 'none' || value === 'all' || (Number.isInteger(value) && (value as number) > 0)
    ? undefined
    : "'none', 'all' or a number of revisions";

export const PUBLISH_OPTIONS: Rules<PublishOptions> = {
  signal,
  repositories: texts,
  all: trueOrFalse,
  history,
  ranges: trueOrFalse,
  replace: trueOrFalse,
};

export const FORK_OPTIONS: Rules<ForkOptions> = { ...READ_OPTIONS, at: checkedLater };
export const DELETE_REPOSITORY_OPTIONS: Rules<DeleteRepositoryOptions> = { ifRevision: checkedLater };

/** The ref is resolved where it is used. */
export const SIGN_OPTIONS: Rules<SignOptions> = { ...READ_OPTIONS, ref: checkedLater };
export const VERIFY_PROOF_OPTIONS: Rules<VerifyProofOptions> = { ...READ_OPTIONS, key: text };

const MOST_REQUESTS = 64;

export const OPEN_OPTIONS: Rules<OpenOptions> = {
  // What is possible depends on the platform.
  backend: checkedLater,
  readOnly: trueOrFalse,
  follow: trueOrFalse,
  share: trueOrFalse,
  durability: oneOf('disk', 'process'),
  cacheBytes: count('bytes', 1, MOST_CACHE_BYTES),
  diskCache: anObject,
  repositoryBytes: count('bytes'),
  workers: count('threads', 0, MOST_WORKERS),
  lockTimeoutMs: milliseconds,
  create: trueOrFalse,
  upgrade: trueOrFalse,
  maxBytes: limit('bytes'),
  concurrency: count('requests', 1, MOST_REQUESTS),
  logger: withMethods('info', 'warn', 'error'),
  federation: anObject,
  contexts: contextsByAddress,
  queries: anObject,
  functions: functionsByIri,
  aggregates: aggregatesByIri,
  signer: checkedLater,
  embed: aFunction,
};

/** A segment of a smaller one would not take the longest value. */
const LEAST_DISK_CACHE = 8 * 1024 * 1024;
export const DISK_CACHE_OPTIONS: Rules<DiskCacheOptions> = {
  directory: text,
  bytes: count('bytes', LEAST_DISK_CACHE),
};
export const JOIN_OPTIONS: Rules<JoinOptions> = { advertise: text, diskCache: anObject };
/** The address and the backend are checked with the locations. */
export const MOVE_OPTIONS: Rules<MoveOptions> = {
  redirect: text,
  cancel: trueOrFalse,
  force: trueOrFalse,
  backend: aBackend,
  carry: aFunction,
  onProgress: aFunction,
  signal,
  logger: withMethods('info', 'warn', 'error'),
};
export const COLLECT_OPTIONS: Rules<CollectGarbageOptions> = { olderThanMs: count('milliseconds') };

export const REFRESH_OPTIONS: Rules<RefreshOptions> = {
  maxAgeMs: milliseconds,
  // The repository and the revision say themselves what is wrong with them.
  atLeast: anObject,
};

/** `to` is checked together with the location. */
export const RECOVER_OPTIONS: Rules<RecoverOptions> = {
  to: checkedLater,
  inPlace: trueOrFalse,
  lockTimeoutMs: milliseconds,
  signal,
};

/** Of `queries` among them. */
export const QUERY_LIMITS: Rules<QueryLimits> = {
  concurrency: count('queries', 1),
  queued: count('queries'),
  queueMs: milliseconds,
  timeoutMs: milliseconds,
  memoryBytes: limit('bytes'),
};

export const PICK_OPTIONS: Rules<Omit<MergeOptions, 'strategy' | 'fastForward'>> = {
  ...COMMIT_OPTIONS,
  onConflict: checkedLater,
};
export const MERGE_OPTIONS: Rules<MergeOptions & { dryRun?: boolean | undefined }> = {
  ...PICK_OPTIONS,
  strategy: oneOf('three-way', 'ours', 'theirs'),
  fastForward: trueOrFalse,
  dryRun: trueOrFalse,
};
export const OPEN_BRANCH_OPTIONS: Rules<OpenBranchOptions> = { create: trueOrFalse, from: checkedLater };
export const CREATE_BRANCH_OPTIONS = { from: checkedLater };
export const DELETE_BRANCH_OPTIONS: Rules<DeleteBranchOptions> = { force: trueOrFalse, ifRevision: checkedLater };

/** Of `Database.repository`. */
export const REPOSITORY_OPTIONS: Rules<RepositoryOptions> = { create: trueOrFalse, branch: text, metadata: anObject };

const TERM_TYPES: readonly unknown[] = ['NamedNode', 'BlankNode', 'Literal', 'Quad'];

/** @throws InvalidArgumentError `INVALID_TERM` for a value that is no RDF/JS term */
export function checkBindings(bindings: Readonly<Record<string, unknown>> | undefined): void {
  for (const [name, value] of Object.entries(bindings ?? {})) {
    const isTerm = typeof value === 'object' && value !== null && 'termType' in value;
    if (isTerm && TERM_TYPES.includes(value.termType)) continue;
    throw new InvalidArgumentError('INVALID_TERM', `bindings: the value of ${name} is no RDF term: ${String(value)}`);
  }
}

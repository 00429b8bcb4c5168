/** Repositories of a server, with the calls of the library. */
export { connect, repositoryAt, repositoryBy } from './connect.js';
export type { ConnectOptions } from './connect.js';
export { ClientError } from './client-error.js';
export { Requests } from './requests.js';
export { RemoteRepository } from './remote-repository.js';
export type { RemoteBranches } from './remote-repository.js';
export type { RemoteTransaction } from './remote-transaction.js';
export type {
  BranchesOf,
  RemoteMaintenance,
  RemoteNamespaces,
  RemoteProof,
  RemoteSettings,
  RemoteSync,
  RemoteTags,
} from './remote-parts.js';
export { answerDocument, RemoteView } from './remote-view.js';
export type {
  BlameEntry,
  BlameOptions,
  BranchInfo,
  Change,
  ChangeOptions,
  ChangePreview,
  Conflict,
  DiffEntry,
  DryRun,
  DumpOptions,
  EraseOptions,
  EraseReport,
  EraseTarget,
  ExplainedConstraint,
  Explanation,
  ExportHistoryOptions,
  HistoryEvent,
  HistoryOptions,
  LiveOptions,
  LiveUpdate,
  LoadDocumentOptions,
  LoadSource,
  LogOptions,
  MergeOptions,
  MergePreview,
  Named,
  PreparedQuery,
  QuadPattern,
  QueryAnswer,
  QueryOptions,
  ReadOptions,
  Ref,
  ReopenedSource,
  Results,
  Revision,
  Row,
  Rows,
  SearchAnswer,
  SearchHit,
  SearchOptions,
  ShapesReport,
  ShapesResult,
  SkippedLine,
  TagInfo,
  TrimOptions,
  TrimReport,
  UpdateOptions,
  ValidateOptions,
  WatchOptions,
} from './types.js';
export { blankNode, dataFactory, defaultGraph, iri, literal, quad } from '@quadrille/model';

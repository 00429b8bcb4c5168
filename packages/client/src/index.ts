/** Repositories of a server, with the calls of the library. */
export { connect, repositoryAt } from './connect.js';
export type { ConnectOptions } from './connect.js';
export { ClientError } from './client-error.js';
export { Requests } from './requests.js';
export type { RemoteBranches, RemoteRepository } from './remote-repository.js';
export type { BranchesOf, RemoteMaintenance, RemoteNamespaces, RemoteSettings, RemoteTags } from './remote-parts.js';
export type { RemoteView } from './remote-view.js';
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
  LiveOptions,
  LiveUpdate,
  LoadDocumentOptions,
  LoadSource,
  LogOptions,
  MergeOptions,
  MergePreview,
  Named,
  PreparedText,
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

/** Repositories of a server, with the calls of the library. */
export { connect } from './connect.js';
export type { ConnectOptions } from './connect.js';
export { ClientError } from './client-error.js';
export type { RemoteRepository, RemoteBranches } from './remote-repository.js';
export type { RemoteView } from './remote-view.js';
export type { Named, Results, Rows } from './results.js';
export type {
  BranchInfo,
  ChangeOptions,
  DiffEntry,
  LoadDocumentOptions,
  LoadSource,
  LogOptions,
  MergeOptions,
  MergePreview,
  QuadPattern,
  QueryOptions,
  ReadOptions,
  Ref,
  Revision,
  Row,
  TagInfo,
  UpdateOptions,
} from './types.js';
export { blankNode, dataFactory, defaultGraph, iri, literal, quad } from '@quadrille/model';

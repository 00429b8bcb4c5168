/** The public types of the library: the objects that `open()` returns, and their parts. */
export type { Conflict, Ref, Revision, VerifyProblem, VerifyReport } from '@quadrille/core';
export type {
  Explanation,
  ExtensionAggregate,
  ExtensionAggregates,
  ExtensionDefinition,
  ExtensionFunction,
  ExtensionFunctions,
  Inspection,
  NamedSource,
  JsValue,
  RunningQuery,
  SparqlTemplate,
  TextFault,
} from '@quadrille/sparql';
export type * from './query.js';
export type * from './prepared.js';
export type * from './read-view.js';
export type * from './search.js';
export type * from './branches.js';
export type * from './commit.js';
export type * from './load.js';
export type * from './merge.js';
export type * from './transaction.js';
export type * from './maintenance.js';
export type * from './history.js';
export type * from './integrity.js';
export type * from './repository-parts.js';
export type * from '../guard/validate-types.js';
export type * from './replication.js';
export type * from './repository.js';
export type * from './open-options.js';
export type * from './database.js';
export type * from './recover.js';
export type * from '../follow/store-member.js';
export type * from './backup.js';
export type * from '../move/move-types.js';
export type * from '../publish/publish-types.js';

/** The public types of the library: what open() and the objects behind it give. Implemented in the files beside this one. */
export type { Ref, Revision, VerifyProblem, VerifyReport } from '@quadrille/core';
export type { Explanation, RunningQuery, SparqlTemplate } from '@quadrille/sparql';
export type * from './api/query.js';
export type * from './api/read-view.js';
export type * from './api/commit.js';
export type * from './api/load.js';
export type * from './api/transaction.js';
export type * from './api/history.js';
export type * from './api/repository-parts.js';
export type * from './api/repository.js';
export type * from './api/open-options.js';
export type * from './api/database.js';

export * from './dataset/dataset.js';
export * from './dataset/id-dataset.js';
export { WHOLE_DATASET, selectGraphs, type GraphSelection, type GraphSource } from './dataset/dataset-view.js';
export type { Explanation, ExplainOptions, IdSolutions, SparqlAnswer, SparqlEngine } from './engine/sparql-engine.js';
export {
  dataToInsert,
  prepare,
  preparePaced,
  type PreparedSparql,
  type PrepareOptions,
  meaningOf,
  type SparqlRequest,
} from './engine/prepare.js';
export type { EvaluationOptions } from './engine/options.js';
export { createSparqlEngine } from './create-engine.js';
export { Engine, type EngineOptions } from './engine/engine.js';
export type { AnswerPiece, Elsewhere, OfferedQuery, TakenQuery, WrittenAnswer } from './engine/elsewhere.js';
export type {
  ExtensionAggregate,
  ExtensionAggregates,
  ExtensionDefinition,
  ExtensionFunction,
  ExtensionFunctions,
} from './expression/extension-functions.js';
export { compareTerms, isWellFormedLiteral } from './expression/values/literals.js';
export { linearLibrary, type Regex, regexOrFault } from './expression/regex/regex.js';
export { jsValue, type JsValue } from './expression/values/js-value.js';
export { type MemoryLimits, processMemory } from './control/process-memory.js';
export { SharedBytes } from './control/shared-bytes.js';
export type { EngineLimits } from './engine/admission.js';
export { type RunningQuery, RunningQueries, Task, type TaskOptions } from './engine/running.js';
export { type Inspection, inspectText, type TextFault } from './syntax/inspect/inspect-text.js';
export type { NamedSource } from './syntax/named-sources.js';
export { MAX_NESTING, parseSparql, type ParseOptions } from './syntax/parse.js';
export type { DatasetClause, ParsedQuery, ParsedSparql, ParsedUpdate, QueryKind } from './algebra/request.js';
export type { Repositories } from './dataset/repositories.js';
export type { RepositoryAddress } from './algebra/repository-address.js';
export type { RemoteBindings, RemoteCallOptions, RemoteSources } from './dataset/remote.js';
export {
  receiveRequest,
  receiveTerm,
  sendRequest,
  sendTerm,
  type SentTemplate,
  type SentTerm,
} from './algebra/sent-request.js';
export { isSparqlTemplate, sparql, type SparqlTemplate } from './algebra/template.js';

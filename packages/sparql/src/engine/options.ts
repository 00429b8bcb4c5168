/** The options of one query or update. */
import type * as RDF from '@rdfjs/types';
import { dataFactory } from '@quadrille/model';
import { selectGraphs, WHOLE_DATASET, type GraphSelection } from '../dataset/dataset-view.js';
import type { IsVolatileFunction } from '../algebra/volatile.js';
import type { DatasetClause } from '../algebra/request.js';
import type { RemoteSources } from '../dataset/remote.js';
import type { Repositories } from '../dataset/repositories.js';
import { findExtension, type ExtensionAggregates, type ExtensionFunctions } from '../expression/extension-functions.js';
import type { Task } from './running.js';

/** Options of one query or update. */
export interface EvaluationOptions {
  /** Default prefixes; one that the text declares wins. */
  readonly prefixes?: Readonly<Record<string, string>> | undefined;
  /** Resolves relative IRIs of the text. */
  readonly baseIRI?: string | undefined;
  /** Variables bound before the request runs, as terms. */
  readonly bindings?: Readonly<Record<string, RDF.Term>> | undefined;
  /** Stops the evaluation with `ABORTED`. */
  readonly signal?: AbortSignal | undefined;
  /** Stops the evaluation with `QUERY_TIMEOUT`. Milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** What NOW() gives. Default: the time of the call. */
  readonly now?: Date | undefined;
  /** The graphs merged into the default graph, in place of FROM (of USING in an update). */
  readonly defaultGraphUris?: readonly string[] | undefined;
  /** The graphs that GRAPH sees, in place of FROM NAMED (of USING NAMED in an update). */
  readonly namedGraphUris?: readonly string[] | undefined;
  /** Where a request names no graphs: its default graph is every graph, merged. Default false. */
  readonly unionDefaultGraph?: boolean | undefined;
  /** Beginning of the labels of new blank nodes. Default: an unguessable one for each request. */
  readonly blankNodePrefix?: string | undefined;
  /** Bytes that the evaluation may keep at once; more is `QUERY_MEMORY`. Default 256 MB, less with a small heap. */
  readonly memoryBytes?: number | undefined;
  /** Rows (triples of a CONSTRUCT or DESCRIBE) that the result may have; more is `RESULT_TOO_LARGE`. Default: any number. */
  readonly maxRows?: number | undefined;
  /** Plans without any optimisation, to check optimised plans against. */
  readonly unoptimised?: boolean | undefined;
  /** The name of what is queried, for the list of running queries. */
  readonly repository?: string | undefined;
  /** Reaches other hosts for SERVICE and LOAD. Without it both are refused. */
  readonly remote?: RemoteSources | undefined;
  /** Opens other repositories of the store for SERVICE, FROM and USING. Without it they are refused. */
  readonly repositories?: Repositories | undefined;
  /** Functions by IRI, beside those of the engine. */
  readonly extensionFunctions?: ExtensionFunctions | undefined;
  /** Aggregates by IRI. The same object for the same aggregates: texts are parsed by it. */
  readonly aggregates?: ExtensionAggregates | undefined;
  /** The request that this call is a part of. Its deadline and signal hold in place of those here. */
  readonly task?: Task | undefined;
}

/** The dataset of a request: by the options, else by its own clauses, else the whole store. */
export function graphsFor(clause: DatasetClause | undefined, options: EvaluationOptions): GraphSelection {
  const { defaultGraphUris = [], namedGraphUris = [] } = options;
  if (defaultGraphUris.length > 0 || namedGraphUris.length > 0) {
    return selectGraphs(defaultGraphUris.map(toIri), namedGraphUris.map(toIri));
  }
  if (clause !== undefined) return selectGraphs(clause.default, clause.named);
  return options.unionDefaultGraph === true ? { default: ['all'], named: 'all' } : WHOLE_DATASET;
}

/** Which functions of the caller may give another value each time. */
export const volatileFunctions =
  ({ extensionFunctions }: EvaluationOptions): IsVolatileFunction =>
  (iri) =>
    findExtension(iri, extensionFunctions)?.deterministic === false;

const toIri = (value: string): RDF.NamedNode => dataFactory.namedNode(value);

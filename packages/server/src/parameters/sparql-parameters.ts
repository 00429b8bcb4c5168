/** The parameters of a SPARQL request: dataset, bindings, slice of the answer. */
import { refuseParameter } from '../http/index.js';
import type * as RDF from '@rdfjs/types';
import type { QueryOptions } from 'quadrille';
import { explainMode, type ExplainMode } from '../resources/sparql/explain-answer.js';
import { parameterTerm } from './terms.js';

/** The number of rows or triples to skip, and the greatest number to return. */
export interface Slice {
  readonly offset: number;
  readonly limit: number;
}

const QUERY_DATASET = { default: 'default-graph-uri', named: 'named-graph-uri' };
const UPDATE_DATASET = { default: 'using-graph-uri', named: 'using-named-graph-uri' };
/** What is of queries alone, and stands in the text of an update. */
const OF_QUERIES = ['values', 'limit', 'offset', 'response-limit', 'response-offset', 'compare', 'explain'];
/** The default graph as RDF4J names it. */
const NIL = new Set(['http://www.openrdf.org/schema/sesame#nil', 'http://rdf4j.org/schema/rdf4j#nil']);
const DEFAULT_GRAPH = 'urn:quadrille:default';

/** The value of a required parameter. */
export function theOne(parameters: URLSearchParams, name: string): string {
  const values = parameters.getAll(name);
  if (values.length === 1 && values[0] !== undefined) return values[0];
  throw refuseParameter(name)(
    values.length === 0 ? `the parameter ${name} is missing` : `${name} is given more than once`,
  );
}

/** For a request whose body is the text. @throws HttpError `INVALID_PARAMETER` where the parameters have another one */
export function refuseOtherText(parameters: URLSearchParams): void {
  const other = ['query', 'update'].find((name) => parameters.has(name));
  if (other !== undefined) throw refuseParameter(other)(`the body is the text of the request: leave ${other} out`);
}

/** The parameters of a query request, apart from its text. */
export interface QueryRequest {
  readonly options: QueryOptions;
  readonly slice: Slice | undefined;
  readonly explain: ExplainMode | undefined;
}

/** @throws HttpError 400 for a parameter that cannot be read */
export function queryRequest(parameters: URLSearchParams, signal: AbortSignal): QueryRequest {
  // Most requests have no other parameter. Looking for each of them takes longer than finding the plan.
  const alone = parameters.size === 1 && parameters.has('query');
  if (alone) return { options: { signal }, slice: undefined, explain: undefined };
  return {
    options: queryOptions(parameters, signal),
    slice: sliceOf(parameters),
    explain: explainMode(parameters),
  };
}

/** The text of a query, with the rows of the parameter `values` behind it. */
export function queryText(query: string, parameters: URLSearchParams): string {
  const values = parameters.get('values')?.trim() ?? '';
  if (values === '') return query;
  const keyword = values.slice(0, 6).toUpperCase() === 'VALUES' ? '' : 'VALUES ';
  return `${query}\n${keyword}${values}`;
}

/** The graphs and bindings of a query request. @throws HttpError 400 for a parameter that cannot be read */
export const queryOptions = (parameters: URLSearchParams, signal: AbortSignal): QueryOptions =>
  optionsOf(parameters, signal, QUERY_DATASET, UPDATE_DATASET);

export function updateOptions(parameters: URLSearchParams, signal: AbortSignal): QueryOptions {
  const wrong = OF_QUERIES.find((name) => parameters.has(name));
  if (wrong !== undefined) throw refuseParameter(wrong)(`${wrong} belongs to queries: say it in the update`);
  return optionsOf(parameters, signal, UPDATE_DATASET, QUERY_DATASET);
}

/** Whether the request names graphs beside its text. */
export const hasDataset = (options: QueryOptions): boolean =>
  options.defaultGraphUris !== undefined || options.namedGraphUris !== undefined;

type DatasetNames = typeof QUERY_DATASET;

function optionsOf(
  parameters: URLSearchParams,
  signal: AbortSignal,
  dataset: DatasetNames,
  misplaced: DatasetNames,
): QueryOptions {
  const wrong = Object.values(misplaced).find((name) => parameters.has(name));
  if (wrong !== undefined)
    throw refuseParameter(wrong)(`${wrong} does not belong here; use ${Object.values(dataset).join(' and ')}`);
  const bindings = bindingsOf(parameters);
  const defaultGraphUris = graphUris(parameters, dataset.default);
  const namedGraphUris = graphUris(parameters, dataset.named);
  return Object.assign(
    { signal },
    bindings && { bindings },
    defaultGraphUris.length > 0 && { defaultGraphUris },
    namedGraphUris.length > 0 && { namedGraphUris },
  );
}

function graphUris(parameters: URLSearchParams, name: string): string[] {
  // Clients made for Virtuoso send these without a value.
  const given = parameters.getAll(name).filter((value) => value !== '' || name.startsWith('using'));
  return given.map((value) => {
    const text = value.trim();
    if (text === 'default' || text === 'null') return DEFAULT_GRAPH;
    const term = parameterTerm(text, name);
    if (term.termType !== 'NamedNode') throw refuseParameter(name)(`${name} is not an IRI: ${text.slice(0, 200)}`);
    return NIL.has(term.value) ? DEFAULT_GRAPH : term.value;
  });
}

/** `$name=term` binds a variable before the request runs. */
function bindingsOf(parameters: URLSearchParams): Readonly<Record<string, RDF.Term>> | undefined {
  const bindings: Record<string, RDF.Term> = Object.create(null) as Record<string, RDF.Term>;
  let count = 0;
  for (const [name, value] of parameters) {
    if (!name.startsWith('$') || name.length === 1) continue;
    const variable = name.slice(1);
    if (!/^[\p{L}\p{N}_][\p{L}\p{N}\p{M}_]*$/u.test(variable))
      throw refuseParameter(name)(`not the name of a variable: ${name.slice(0, 100)}`);
    if (variable in bindings) throw refuseParameter(name)(`${name.slice(0, 100)} is given more than once`);
    bindings[variable] = parameterTerm(value, name);
    count++;
  }
  return count === 0 ? undefined : bindings;
}

/**
 * The slice of the answer: `limit` and `offset`, and within it `response-limit` and `response-offset`. `undefined` for the whole
 * answer.
 */
function sliceOf(parameters: URLSearchParams): Slice | undefined {
  const query = { offset: wholeNumber(parameters, 'offset') ?? 0, limit: wholeNumber(parameters, 'limit') ?? Infinity };
  const offset = wholeNumber(parameters, 'response-offset') ?? 0;
  const limit = wholeNumber(parameters, 'response-limit') ?? Infinity;
  const slice = { offset: query.offset + offset, limit: Math.min(limit, Math.max(0, query.limit - offset)) };
  return slice.offset === 0 && slice.limit === Infinity ? undefined : slice;
}

function wholeNumber(parameters: URLSearchParams, name: string): number | undefined {
  const text = parameters.get(name)?.trim() ?? '';
  if (text === '') return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw refuseParameter(name)(`${name} is not a whole number: ${text.slice(0, 50)}`);
}

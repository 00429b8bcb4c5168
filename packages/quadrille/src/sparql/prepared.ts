/** Requests that are parsed once and asked often, with other values each time. */
import type { PreparedQuery, PrepareOptions, QueryOptions, ReadView, SparqlText } from '../api/index.js';
import type { PreparedSparql } from '@quadrille/sparql';
import type { LazyEngine } from './lazy-engine.js';
import { PREPARE_OPTIONS, QUERY_OPTIONS, UPDATE_OPTIONS } from '../options/calls.js';
import { checkOptions } from '../options/check-options.js';

/** @throws ParseError `SPARQL_SYNTAX`, InvalidArgumentError */
export async function prepareText(
  engine: LazyEngine,
  text: SparqlText,
  options: PrepareOptions,
  prefixes: Readonly<Record<string, string>>,
): Promise<PreparedSparql> {
  checkOptions(options, PREPARE_OPTIONS, 'prepare');
  return engine.prepare(text, { ...options, prefixes });
}

type Reads = Omit<PreparedQuery, 'serialize'>;
type Reader = Pick<ReadView, 'select' | 'construct' | 'describe' | 'ask' | 'query'>;

export function preparedReads(
  { request, kind, dataset, graphs, prefixes, readsOthers }: PreparedSparql,
  view: Reader,
): Reads {
  return {
    request,
    kind,
    dataset: dataset && { default: dataset.default.map(valueOf), named: dataset.named.map(valueOf) },
    graphs: graphs.map(valueOf),
    prefixes,
    readsOthers,
    select: (options) => view.select(request, checked(options)),
    construct: (options) => view.construct(request, checked(options)),
    describe: (options) => view.describe(request, checked(options)),
    ask: async (options) => view.ask(request, checked(options)),
    query: async (options) => view.query(request, checked(options)),
  };
}

const valueOf = ({ value }: { readonly value: string }): string => value;

export function preparedQuery(prepared: PreparedSparql, view: Reader & Pick<ReadView, 'serialize'>): PreparedQuery {
  return {
    ...preparedReads(prepared, view),
    serialize: (mediaType, options) => view.serialize(prepared.request, mediaType, checked(options)),
  };
}

// The base is part of what was parsed.
const { baseIRI: _ofQuery, ...CALL_OPTIONS } = QUERY_OPTIONS;
const { baseIRI: _ofUpdate, ...UPDATE_CALL_OPTIONS } = UPDATE_OPTIONS;

function checked<O extends QueryOptions>(options: O | undefined): O | undefined {
  checkOptions(options, CALL_OPTIONS, 'a prepared query');
  return options;
}

export function checkedUpdate<O extends object>(options: O | undefined): O | undefined {
  checkOptions(options, UPDATE_CALL_OPTIONS, 'a prepared update');
  return options;
}

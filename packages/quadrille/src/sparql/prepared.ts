/** Requests that are parsed once and asked often, with other values each time. */
import type {
  PreparedQuery,
  PreparedSelectOptions,
  QueryOptions,
  ReadView,
  Rows,
  SelectOptions,
  SparqlText,
  UpdateOptions,
} from '../api/index.js';
import type { PreparedSparql } from '@quadrille/sparql';
import { HOST } from '../host/host-of.js';
import type { HostedView, HostPrepareOptions } from '../host/host-types.js';
import type { LazyEngine } from './lazy-engine.js';
import { PREPARE_OPTIONS, QUERY_OPTIONS, SELECT_OPTIONS, UPDATE_OPTIONS } from '../options/calls.js';
import { checkOptions } from '../options/check-options.js';

/** @throws ParseError `SPARQL_SYNTAX`, InvalidArgumentError */
export async function prepareText(
  engine: LazyEngine,
  text: SparqlText,
  options: HostPrepareOptions,
  prefixes: Readonly<Record<string, string>>,
): Promise<PreparedSparql> {
  checkOptions(options, PREPARE_OPTIONS, 'prepare');
  const { baseIRI, task } = options;
  return engine.prepare(text, { prefixes, baseIRI, task });
}

/** Of rows and bindings of any type: the caller of `prepare` says of which. */
type Reads<R extends object, B extends object> = Omit<PreparedQuery<R, B>, 'serialize'>;
type Reader = Pick<ReadView, 'select' | 'construct' | 'describe' | 'ask' | 'query'>;
/** A view, with what it keeps for hosts. */
type WritingReader = Reader & { readonly [HOST]: HostedView };

export function preparedReads<R extends object, B extends object>(
  { request, kind, variables, dataset, graphs, prefixes, readsOthers }: PreparedSparql,
  view: Reader,
): Reads<R, B> {
  const select = (options?: PreparedSelectOptions<B>): Rows<R> => view.select<R>(request, checkedSelect(options));
  return {
    request,
    kind,
    bindings: variables,
    dataset: dataset && { default: dataset.default.map(valueOf), named: dataset.named.map(valueOf) },
    graphs: graphs.map(valueOf),
    prefixes,
    readsOthers,
    select: select as Reads<R, B>['select'],
    construct: (options) => view.construct(request, checked(options)),
    describe: (options) => view.describe(request, checked(options)),
    ask: async (options) => view.ask(request, checked(options)),
    query: async (options) => view.query(request, checked(options)),
  };
}

const valueOf = ({ value }: { readonly value: string }): string => value;

export function preparedQuery<R extends object, B extends object>(
  prepared: PreparedSparql,
  view: WritingReader,
): PreparedQuery<R, B> {
  const serialize: PreparedQuery<R, B>['serialize'] = (mediaType, options) =>
    view[HOST].serialize(prepared.request, mediaType, checked(options));
  return Object.assign(preparedReads<R, B>(prepared, view), { serialize });
}

// The base is part of what was parsed.
const { baseIRI: _ofQuery, ...CALL_OPTIONS } = QUERY_OPTIONS;
const { baseIRI: _ofSelect, ...SELECT_CALL_OPTIONS } = SELECT_OPTIONS;
const { baseIRI: _ofUpdate, dryRun: _ofText, ...UPDATE_CALL_OPTIONS } = UPDATE_OPTIONS;

// Bindings are checked where they are used: their type is that of the caller.
function checked(options: object | undefined): QueryOptions | undefined {
  checkOptions(options, CALL_OPTIONS, 'a prepared query');
  return options;
}

function checkedSelect(options: object | undefined): SelectOptions | undefined {
  checkOptions(options, SELECT_CALL_OPTIONS, 'a prepared query');
  return options;
}

export function checkedUpdate(options: object | undefined): UpdateOptions | undefined {
  checkOptions(options, UPDATE_CALL_OPTIONS, 'a prepared update');
  return options;
}

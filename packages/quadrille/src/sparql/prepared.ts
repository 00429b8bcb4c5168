/** Requests that are parsed once and asked often, with other values each time. */
import type {
  PreparedQuery,
  PrepareOptions,
  QueryOptions,
  ReadView,
  SparqlTemplate,
  SparqlText,
} from '../api/index.js';
import type { LazyEngine, RequestKind } from './lazy-engine.js';
import { PREPARE_OPTIONS, QUERY_OPTIONS, UPDATE_OPTIONS } from '../options/calls.js';
import { checkOptions } from '../options/check-options.js';

/** A request for {@link preparedReads} and its like: a text that stands for what was parsed already. */
export interface PreparedText {
  readonly request: SparqlTemplate;
  readonly kind: RequestKind;
}

/** @throws ParseError `SPARQL_SYNTAX`, InvalidArgumentError */
export async function prepareText(
  engine: LazyEngine,
  text: SparqlText,
  options: PrepareOptions,
  prefixes: Readonly<Record<string, string>>,
): Promise<PreparedText> {
  checkOptions(options, PREPARE_OPTIONS, 'prepare');
  return engine.prepare(text, { ...options, prefixes });
}

type Reads = Omit<PreparedQuery, 'serialize'>;
type Reader = Pick<ReadView, 'select' | 'construct' | 'describe' | 'ask' | 'query'>;

export function preparedReads({ request, kind }: PreparedText, view: Reader): Reads {
  return {
    kind,
    select: (options) => view.select(request, checked(options)),
    construct: (options) => view.construct(request, checked(options)),
    describe: (options) => view.describe(request, checked(options)),
    ask: async (options) => view.ask(request, checked(options)),
    query: async (options) => view.query(request, checked(options)),
  };
}

export function preparedQuery(text: PreparedText, view: Reader & Pick<ReadView, 'serialize'>): PreparedQuery {
  return {
    ...preparedReads(text, view),
    serialize: (mediaType, options) => view.serialize(text.request, mediaType, checked(options)),
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

/** Requests that are parsed once: what a text asks for, and the text in a form that is not parsed again. */
import type * as RDF from '@rdfjs/types';
import { InvalidArgumentError } from '@quadrille/model';
import type { Operation, UpdateOperation } from '../algebra/algebra.js';
import { findAsked, hasService } from '../algebra/asked-repositories.js';
import { namesRepository } from '../algebra/repository-address.js';
import type { KeptPlan, ParsedQuery, ParsedSparql, ParsedText, ParsedUpdate } from '../algebra/request.js';
import { graphsOf, substituteValues } from '../algebra/substitute-values.js';
import { inTurn } from '../algebra/rewrite.js';
import { isSparqlTemplate, readableText, toTemplate, type SparqlTemplate } from '../algebra/template.js';
import { EvaluationControl } from '../control/control.js';
import { isLongText, parseSparql, parseSparqlPaced, parseText, type ParseOptions } from '../syntax/parse.js';
import type { Task } from './running.js';
import { insertedData } from './update/inserted-data.js';

/** A text, or a template of the `sparql` tag. */
export type SparqlRequest = string | SparqlTemplate;

/** What a request asks for, by its grammar. */
export interface PreparedSparql extends Pick<ParsedSparql, 'dataset' | 'graphs' | 'prefixes' | 'variables'> {
  /** The form of the query, or `'update'`. */
  readonly kind: ParsedSparql['kind'];
  /** Whether SERVICE, or the address of a repository in its dataset, makes a query read more than the data that it is for. */
  readonly readsOthers: boolean;
  /** The same request; it runs without being parsed again. */
  readonly request: SparqlTemplate;
  /** Shared by all requests with the same text: it must not be changed. */
  readonly algebra: Operation | readonly UpdateOperation[];
}

/** What {@link prepare} has parsed, and the options with which it was parsed. */
const parsedTemplates = new WeakMap<SparqlRequest & object, ParsedText>();
const meanings = new WeakMap<SparqlRequest & object, ParseOptions>();

/**
 * Parses a request. Its prefixes and its base are those given here, also when it runs later.
 * @throws ParseError `SPARQL_SYNTAX`
 */
export function prepare(request: SparqlRequest, options: ParseOptions = {}): PreparedSparql {
  return preparedOf(request, parseWithPlaceholders(request, options), options);
}

/** Options of {@link preparePaced}. */
export interface PrepareOptions extends ParseOptions {
  /** The request that the text belongs to: parsing ends with it, and its time counts. */
  readonly task?: Task | undefined;
}

/** As {@link prepare}; a long text does not hold up the event loop. */
export async function preparePaced(request: SparqlRequest, options: PrepareOptions = {}): Promise<PreparedSparql> {
  const { task } = options;
  const control = task?.control ?? new EvaluationControl({});
  if (task !== undefined) task.state = 'parsing';
  control.throwIfFailed();
  try {
    const text = await parseInTurn(request, options, control);
    if (text.parsed.kind !== 'update') await inTurn(findAsked(text.parsed.algebra), control);
    return preparedOf(request, text, options);
  } finally {
    // A text that took too long ends with that, whatever is wrong with it.
    control.throwIfFailed();
  }
}

/**
 * The quads of a short request that is INSERT DATA alone, in the order of its text; `undefined` for every other one, also for one that cannot be
 * parsed. A text is parsed with these options.
 */
export function dataToInsert(request: SparqlRequest, options: ParseOptions): readonly RDF.Quad[] | undefined {
  const known = typeof request === 'string' ? undefined : parsedTemplates.get(request);
  if (known !== undefined) return insertedData(known);
  if (typeof request !== 'string' || isLongText(request)) return undefined;
  try {
    return insertedData(parseText(request, options));
  } catch {
    return undefined;
  }
}

/** The prefixes and the base with which a request is parsed: those of `prepare`, else those of the call. */
export function meaningOf(request: SparqlRequest, { prefixes, baseIRI }: ParseOptions): ParseOptions {
  return (typeof request === 'string' ? undefined : meanings.get(request)) ?? { prefixes, baseIRI };
}

function preparedOf(request: SparqlRequest, text: ParsedText, options: ParseOptions): PreparedSparql {
  const template = toTemplate(request);
  parsedTemplates.set(template, text);
  meanings.set(template, meaningOf(request, options));
  // The algebra of a text is filled in when somebody asks for it.
  const whole = text.byShape ? text.parsed : substituteValues(text);
  const { kind, prefixes, variables } = whole;
  const { dataset, graphs } = text.byShape ? graphsOf(text) : whole;
  return {
    request: template,
    kind,
    dataset,
    graphs,
    prefixes,
    variables,
    get readsOthers() {
      return whole.kind !== 'update' && (hasService(whole.algebra) || namesRepositories(dataset));
    },
    get algebra() {
      const { kind: _, ...rest } = text.byShape ? substituteValues(text) : whole;
      return 'operations' in rest ? rest.operations : rest.algebra;
    },
  };
}

/** A request with another algebra. Lists of running queries show the text of the given one. */
export const requestFor = (prepared: PreparedSparql, algebra: Operation): SparqlTemplate =>
  requestsFor(prepared, algebra)([]);

/**
 * Requests with another algebra, in which placeholder n stands for value n. They share their plans.
 * @param kept where they keep the plan that the first of them got, so that others take it whatever their values are
 */
export function requestsFor(
  { request, dataset, graphs, prefixes, variables }: PreparedSparql,
  algebra: Operation,
  kept?: KeptPlan,
): (values: readonly RDF.Term[], ids?: readonly number[]) => SparqlTemplate {
  const text = readableText(request);
  const parsed: ParsedQuery = { kind: 'select', algebra, dataset, graphs, prefixes, variables, baseIRI: undefined };
  return (values, ids) => {
    const template = toTemplate(text);
    parsedTemplates.set(template, { parsed, values, ids, byShape: values.length > 0, ...(kept && { kept }) });
    return template;
  };
}

const namesRepositories = (dataset: ParsedSparql['dataset']): boolean =>
  dataset !== undefined && [...dataset.default, ...dataset.named].some(namesRepository);

/** Parses a request and puts the values of a template in their places. */
export function parseRequest(request: SparqlRequest, options: ParseOptions = {}): ParsedSparql {
  return substituteValues(parseWithPlaceholders(request, options));
}

/** Parses a request; its values are placeholders still. */
export function parseWithPlaceholders(
  request: SparqlRequest,
  { prefixes, baseIRI, aggregates }: ParseOptions,
): ParsedText {
  const options = { prefixes, baseIRI, aggregates };
  if (typeof request === 'string') return parseText(request, options);
  return parsedTemplates.get(request) ?? fromTemplate(request, parseSparql(textToParse(request), options));
}

/** As {@link parseWithPlaceholders}; a long text is read in parts, so that it neither holds up the event loop nor outlives its control. */
export function parseInTurn(
  request: SparqlRequest,
  { prefixes, baseIRI, aggregates }: ParseOptions,
  control: EvaluationControl,
): ParsedText | Promise<ParsedText> {
  const options = { prefixes, baseIRI, aggregates };
  const text = textToParse(request);
  const known = typeof request === 'string' ? undefined : parsedTemplates.get(request);
  if (known !== undefined || !isLongText(text)) return known ?? parseWithPlaceholders(request, options);
  return parseSparqlPaced(text, options, () => control.checkpoint()).then((parsed) => fromTemplate(request, parsed));
}

const fromTemplate = (request: SparqlRequest, parsed: ParsedSparql): ParsedText => ({
  parsed,
  values: typeof request === 'string' ? [] : request.values,
  byShape: false,
});

function textToParse(request: SparqlRequest): string {
  if (typeof request === 'string') return request;
  if (isSparqlTemplate(request)) return request.text;
  throw new InvalidArgumentError('INVALID_OPTION', 'a request is a text or a template of the sparql tag');
}

/** @throws InvalidArgumentError `NOT_A_QUERY` for an update */
export function queryOf(parsed: ParsedSparql): ParsedQuery {
  if (parsed.kind !== 'update') return parsed;
  throw new InvalidArgumentError('NOT_A_QUERY', 'this is an update, where a query is expected');
}

/** @throws InvalidArgumentError `NOT_AN_UPDATE` for a query */
export function updateOf(parsed: ParsedSparql): ParsedUpdate {
  if (parsed.kind === 'update') return parsed;
  throw new InvalidArgumentError(
    'NOT_AN_UPDATE',
    `this is a ${parsed.kind.toUpperCase()} query, where an update is expected`,
  );
}

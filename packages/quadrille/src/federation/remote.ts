/** Other hosts for SPARQL: endpoints of SERVICE by the SPARQL Protocol, documents of LOAD by content negotiation. */
import type * as RDF from '@rdfjs/types';
import type { FetchResponse, GuardedFetch } from '@quadrille/fetch';
import { faultOfTerm, parseResultsAsync } from '@quadrille/formats';
import { EvaluationError, FetchError, InvalidArgumentError, QuadrilleError } from '@quadrille/model';
import type { RemoteBindings, RemoteCallOptions, RemoteSources } from '@quadrille/sparql';
import { acceptedFormats, parseDocument } from './remote-document.js';
import { givenContexts } from '../load/contexts.js';
import { fetchedContexts } from '../load/fetched-contexts.js';
import { wholeBytes } from '../documents/whole-bytes.js';
import type { JsonLdContexts } from '../api/index.js';
import { relabelled } from './relabel.js';

export interface RemoteSourcesOptions {
  readonly fetch: GuardedFetch;
  /** Endpoints, or beginnings of their IRIs by whole segments, that SERVICE may ask. */
  readonly serviceAllow: readonly string[];
  /** Whether LOAD may read from other hosts. */
  readonly load: boolean;
  /** Contexts of JSON-LD that are not fetched. */
  readonly contexts?: JsonLdContexts | undefined;
  /** For one SERVICE call or one LOAD. Default: that of the fetcher. */
  readonly timeoutMs?: number | undefined;
}

/** The answer of an endpoint is held as a whole, since it is read as a whole. */
const MAX_RESULT_BYTES = 64 * 1024 * 1024;
/** The entry of `service` for every endpoint that the fetcher may reach. */
const ANY_ENDPOINT = '*';
const BATCH_ROWS = 512;
const ACCEPTED_RESULTS = 'application/sparql-results+json, application/sparql-results+xml;q=0.8';
// CSV and TSV are left out: they are not in the Accept header, and CSV does not distinguish IRIs from literals.
const READABLE_RESULTS = /^application\/(sparql-results\+)?(json|xml)\s*(;|$)|^text\/xml\s*(;|$)/i;

/** @throws InvalidArgumentError `INVALID_OPTION` for an entry of `serviceAllow` that is no http(s) IRI */
export function createRemoteSources(options: RemoteSourcesOptions): RemoteSources {
  const allowed = options.serviceAllow.map(endpointPrefix);
  return {
    query: (endpoint, query, call) => queryEndpoint(endpoint, query, call, options, allowed),
    load: (url, call) => loadDocument(url, call, options),
  };
}

async function queryEndpoint(
  endpoint: string,
  query: string,
  { signal }: RemoteCallOptions,
  options: RemoteSourcesOptions,
  allowed: readonly string[],
): Promise<RemoteBindings> {
  const what = `SERVICE <${endpoint}>`;
  if (!isAllowed(endpoint, allowed)) throw refused(`${what}: the endpoint is not on the list of allowed ones`);
  const response = await options.fetch({
    url: endpoint,
    method: 'POST',
    headers: { 'content-type': 'application/sparql-query', accept: ACCEPTED_RESULTS },
    body: query,
    asGet: (url) => queryAddress(url, query),
    signal,
    maxBytes: MAX_RESULT_BYTES,
    // An endpoint sends nothing while it evaluates, so the idle limit is the total limit.
    timeouts: { totalMs: options.timeoutMs, idleMs: options.timeoutMs },
    // Redirects must stay on the list of allowed endpoints.
    mayVisit: (url) => isAllowed(url, allowed),
  });
  try {
    checkStatus(response, what);
    const mediaType = response.headers['content-type'] ?? '';
    if (!READABLE_RESULTS.test(mediaType)) throw failed(`${what} did not answer with SPARQL results in JSON or XML`);
    const answer = await parseResultsAsync(await wholeBytes(response.body), mediaType);
    if (answer.type !== 'bindings') throw failed(`${what} did not answer with solutions`);
    return { variables: answer.variables, rows: batches(answer.rows) };
  } catch (error) {
    throw asFailure(error, `${what}: the answer cannot be read`);
  } finally {
    response.close();
  }
}

/** Longer addresses are refused by many servers. */
const MOST_ADDRESS_CHARACTERS = 8000;

/** A query by GET (SPARQL 1.1 Protocol, 2.1.1). An address that has the query already stays as it is. */
function queryAddress(url: string, query: string): string | undefined {
  const { searchParams } = new URL(url);
  if (searchParams.has('query')) return url;
  const address = `${url}${url.includes('?') ? '&' : '?'}query=${encodeURIComponent(query)}`;
  return address.length > MOST_ADDRESS_CHARACTERS ? undefined : address;
}

async function* loadDocument(
  url: string,
  { signal }: RemoteCallOptions,
  options: RemoteSourcesOptions,
): AsyncGenerator<readonly RDF.Quad[]> {
  const what = `LOAD <${url}>`;
  if (!options.load) throw refused(`${what}: loading from other hosts is not allowed`);
  const response = await options.fetch({
    url,
    headers: { accept: await acceptedFormats() },
    signal,
    timeouts: { totalMs: options.timeoutMs },
  });
  try {
    checkStatus(response, what);
    yield* parseDocument(response, url, givenContexts(options.contexts ?? {}, fetchedContexts(options.fetch)));
  } catch (error) {
    throw asFailure(error, `${what}: the document cannot be read`);
  } finally {
    response.close();
  }
}

/** Batches of rows. Their blank nodes get labels that no other answer has. */
async function* batches(
  rows: readonly Readonly<Record<string, RDF.Term>>[],
): AsyncGenerator<readonly Readonly<Record<string, RDF.Term>>[]> {
  const fresh = relabelled();
  for (let at = 0; at < rows.length; at += BATCH_ROWS) yield rows.slice(at, at + BATCH_ROWS).map(fresh);
}

function checkStatus({ status }: FetchResponse, what: string): void {
  if (status < 200 || status > 299) throw failed(`${what} was answered with status ${status}`, { status });
}

function endpointPrefix(entry: string): string {
  if (entry === ANY_ENDPOINT) return entry;
  const href = /^https?:\/\//i.test(entry) && URL.canParse(entry) ? new URL(entry).href : undefined;
  if (href !== undefined) return href;
  throw new InvalidArgumentError(
    'INVALID_OPTION',
    `federation: service takes http(s) IRIs of endpoints, or *, not ${JSON.stringify(entry)}`,
  );
}

function isAllowed(url: string, allowed: readonly string[]): boolean {
  if (allowed.includes(ANY_ENDPOINT)) return true;
  if (!URL.canParse(url)) return false;
  const { href } = new URL(url);
  // An endpoint may move from http to https, never back.
  const spellings = href.startsWith('https:') ? [href, `http:${href.slice(6)}`] : [href];
  return allowed.some((prefix) =>
    spellings.some(
      (spelling) =>
        spelling === prefix ||
        spelling.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`) ||
        spelling.startsWith(`${prefix}?`),
    ),
  );
}

const refused = (message: string): FetchError => new FetchError('BLOCKED_ADDRESS', message);

function failed(message: string, details: { status?: number } = {}, cause?: unknown): EvaluationError {
  return new EvaluationError('SERVICE_FAILED', message, { details, cause });
}

// A syntax error shows what it found, which may be what only this machine can read: it stays in the cause. A term of SPARQL results is shown.
function asFailure(error: unknown, message: string): Error {
  if (error instanceof FetchError || error instanceof EvaluationError) return error;
  const fault = faultOfTerm(error);
  if (fault !== undefined) return failed(`${message}: ${fault}`, {}, error);
  const { line, column } = error instanceof QuadrilleError ? error.details : {};
  const place =
    line === undefined ? '' : ` (line ${String(line)}${column === undefined ? '' : `, column ${String(column)}`})`;
  return failed(`${message}${place}`, {}, error);
}

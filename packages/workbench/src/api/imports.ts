/** Documents that become revisions: uploads with their progress, and the jobs that load them. */
import { TABLE_ENDINGS, tableKindOfFile } from '@quadrille/model/endings';
import { type Again, getJson, noteProblem, parametersOf, prepared, request, token } from './client.js';
import { online } from './waiting.js';
import { ApiError, type Problem, problemOf } from './errors.js';
import { messageHeader } from './revisions.js';
import { sendFile } from './send-file.js';

const TYPES: Readonly<Record<string, string>> = {
  ttl: 'text/turtle',
  turtle: 'text/turtle',
  trig: 'application/trig',
  nt: 'application/n-triples',
  nq: 'application/n-quads',
  rdf: 'application/rdf+xml',
  owl: 'application/rdf+xml',
  xml: 'application/rdf+xml',
  jsonld: 'application/ld+json',
  json: 'application/ld+json',
  rj: 'application/rdf+json',
  trix: 'application/trix',
};

/** Endings of files that can be imported, for the dialog of the browser. */
export const ENDINGS = [...new Set([...Object.keys(TYPES), ...Object.values(TABLE_ENDINGS).flat(), 'gz'])]
  .map((ending) => `.${ending}`)
  .join(',');

/** The format of a table by the name of its file; undefined for a document. JSON without a keyword of JSON-LD is a table. */
export async function tableFormat(file: File): Promise<string | undefined> {
  const format = tableKindOfFile(file.name, ['gz']);
  if (format !== 'json') return format;
  const start = await file.slice(0, JSON_START).text();
  return file.name.endsWith('.gz') || start.includes('"@') ? undefined : format;
}

/** Documents have their keywords in the first bytes. */
const JSON_START = 1024 * 1024;

/** The type of a document by its name, and whether it is compressed; undefined for a name that says nothing. */
export function typeOfFile(name: string): { readonly type: string; readonly gzip: boolean } | undefined {
  const parts = name.toLowerCase().split('.');
  const gzip = parts.at(-1) === 'gz';
  const type = TYPES[parts.at(gzip ? -2 : -1) ?? ''];
  return type === undefined ? undefined : { type, gzip };
}

/** Whether lines of the document can be skipped: in formats of one statement a line. */
export const hasLines = (name: string): boolean => typeOfFile(name)?.type.startsWith('application/n-') === true;

export interface Upload {
  readonly repository: string;
  readonly branch: string | undefined;
  readonly name: string;
  readonly content: Blob;
  /** An IRI; empty for the default graph, or the graphs of the document. */
  readonly graph: string;
  readonly replace: boolean;
  readonly message: string;
  /** Leaves out lines that are not well formed. */
  readonly skip: boolean;
  /** By which the server knows the job, see {@link findJob}. */
  readonly requestId: string;
  readonly signal: AbortSignal;
  /** Gets the share that was sent, 0 to 1. */
  readonly onProgress: (share: number) => void;
}

/** Documents of at most this many bytes are sent in one request. */
const SHORT_BYTES = 256 * 1024;

/**
 * Sends a document. The server answers when it has it, and loads it as a job.
 * @returns the id of the job; undefined where the server has loaded it already
 * @throws ApiError; AbortError on the signal
 */
export async function upload(document: Upload): Promise<string | undefined> {
  const answer = await sendDocument(document, { Prefer: 'respond-async' });
  return answer.status === 202 ? /([^/]+)$/.exec(answer.headers.get('Location') ?? '')?.[1] : undefined;
}

/** How many statements a change adds and removes. */
export interface Effect {
  readonly added: number;
  readonly removed: number;
}

/** Asks what a document would change. @throws ApiError; AbortError on the signal */
export async function previewUpload(document: Upload): Promise<Effect> {
  return (await (await sendDocument(document, {}, true)).json()) as Effect;
}

async function sendDocument(
  document: Upload,
  more: Readonly<Record<string, string>>,
  isTrial?: boolean,
): Promise<Response> {
  const { repository, branch, name, content, graph, replace, message, skip, requestId, signal, onProgress } = document;
  const { type, gzip } = typeOfFile(name) ?? { type: 'text/turtle', gzip: false };
  const context = graph === '' ? undefined : `<${graph}>`;
  const options = { 'on-error': skip ? 'skip' : undefined, 'dry-run': isTrial === true ? 1 : undefined };
  const path = `${repository}/statements${parametersOf({ context, branch, ...options })}`;
  const sentHeaders = { ...more, ...messageHeader(message), 'Client-Request-Id': requestId };
  const { url, init } = prepared(path, { headers: sentHeaders });
  const headers = init.headers as Headers;
  headers.set('Content-Type', type);
  if (gzip) headers.set('Content-Encoding', 'gzip');
  headers.set('Accept', 'application/json');
  const method = replace ? 'PUT' : 'POST';
  // The server may have a short document already when it is cancelled: its job is aborted instead.
  const aborting = isTrial === true || content.size > SHORT_BYTES ? { signal } : {};
  const used = token.value;
  const sent = await sendFile({ method, url, headers, content, onProgress, ...aborting }).catch((error: unknown) => {
    if (error instanceof TypeError) online.value = false;
    throw error;
  });
  if (sent.ok) return sent;
  const problem = await problemOf(sent);
  noteProblem(problem, used);
  throw new ApiError(problem);
}

export interface JobRecord {
  readonly uuid: string;
  readonly status: 'pending' | 'running' | 'completed' | 'failed' | 'aborted';
  readonly message: string;
  readonly pct: number;
  readonly operation: string;
  readonly repository_id: string;
  readonly created: string;
  readonly time: string;
  readonly revision?: string;
  readonly bytes?: number;
  readonly statements?: number;
  /** Statements a second. */
  readonly rate?: number;
  /** How many lines were skipped. */
  readonly problems?: number;
}

export const getJob = (id: string): Promise<JobRecord> => getJson(`jobs/${encodeURIComponent(id)}`, undefined, 'never');
/** The newest jobs, whether they have ended or not. */
export const listJobs = (most: number, signal?: AbortSignal): Promise<JobRecord[]> =>
  getJson(`jobs${parametersOf({ status: 'all', limit: most })}`, signal);

/** The job of an upload whose answer never came; undefined where the server began none. */
export async function findJob(
  repository: string,
  requestId: string,
  signal?: AbortSignal,
  again?: Again,
): Promise<JobRecord | undefined> {
  const path = `jobs${parametersOf({ status: 'all', repository, 'client-request-id': requestId })}`;
  return (await getJson<JobRecord[]>(path, signal, again))[0];
}

/** A line that an import has skipped. */
export interface LineProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly text: string;
}

/** The first of the lines that an import has skipped. */
export const listProblems = (job: string): Promise<LineProblem[]> =>
  getJson(`jobs/${encodeURIComponent(job)}/problems`);

export async function abortJob(id: string): Promise<void> {
  await request(`jobs/${encodeURIComponent(id)}`, { method: 'DELETE' });
}

/** A job that failed, as an error. */
export const problemOfJob = ({ message }: JobRecord): Problem => ({ status: 0, code: 'IMPORT_FAILED', message });

export interface RunningQuery {
  readonly id: string;
  readonly kind: string;
  readonly repository: string | null;
  readonly query: string;
  readonly state: string;
  readonly elapsed_ms: number;
  readonly rows: number;
  readonly memory_bytes: number;
}

export const listQueries = (): Promise<RunningQuery[]> => getJson('queries');

export async function cancelQuery(id: string): Promise<void> {
  await request(`queries/${encodeURIComponent(id)}`, { method: 'DELETE' });
}

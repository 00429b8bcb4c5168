/** Documents that become revisions: uploads with their progress, and the jobs that load them. */
import { getJson, prepared, request } from './client.js';
import { ApiError, type Problem, problemOf } from './errors.js';
import { messageHeader } from './revisions.js';

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

/** Endings of files that the server reads, for the dialog of the browser. */
export const ENDINGS = [...Object.keys(TYPES), 'gz'].map((ending) => `.${ending}`).join(',');

/** The type of a document by its name, and whether it is compressed; undefined for a name that says nothing. */
export function typeOfFile(name: string): { readonly type: string; readonly gzip: boolean } | undefined {
  const parts = name.toLowerCase().split('.');
  const gzip = parts.at(-1) === 'gz';
  const type = TYPES[parts.at(gzip ? -2 : -1) ?? ''];
  return type === undefined ? undefined : { type, gzip };
}

export interface Upload {
  readonly repository: string;
  readonly name: string;
  readonly content: Blob;
  /** An IRI; empty for the default graph, or the graphs of the document. */
  readonly graph: string;
  readonly replace: boolean;
  readonly message: string;
  readonly signal: AbortSignal;
  /** Gets the share that was sent, 0 to 1. */
  readonly onProgress: (share: number) => void;
}

/**
 * Sends a document. The server answers when it has it, and loads it as a job.
 * @returns the id of the job; undefined where the server has loaded it already
 * @throws ApiError; AbortError on the signal
 */
export function upload(document: Upload): Promise<string | undefined> {
  const { repository, name, content, graph, replace, message, signal, onProgress } = document;
  const { type, gzip } = typeOfFile(name) ?? { type: 'text/turtle', gzip: false };
  const path = `${repository}/statements${graph === '' ? '' : `?context=${encodeURIComponent(`<${graph}>`)}`}`;
  const { url, init } = prepared(path, { headers: messageHeader(message) });
  return new Promise((resolve, reject) => {
    // fetch does not tell how much was sent.
    const sending = new XMLHttpRequest();
    sending.open(replace ? 'PUT' : 'POST', url);
    for (const [header, value] of init.headers as Headers) sending.setRequestHeader(header, value);
    sending.setRequestHeader('Content-Type', type);
    if (gzip) sending.setRequestHeader('Content-Encoding', 'gzip');
    sending.setRequestHeader('Prefer', 'respond-async');
    sending.setRequestHeader('Accept', 'application/json');
    sending.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total));
    sending.addEventListener('load', () => void settle(sending).then(resolve, reject));
    sending.addEventListener('error', () => reject(new TypeError('the connection was lost')));
    sending.addEventListener('abort', () => reject(new DOMException('cancelled', 'AbortError')));
    signal.addEventListener('abort', () => sending.abort(), { once: true });
    sending.send(content);
  });
}

async function settle(sent: XMLHttpRequest): Promise<string | undefined> {
  const { status } = sent;
  if (status === 202) return /([^/]+)$/.exec(sent.getResponseHeader('Location') ?? '')?.[1];
  if (status >= 200 && status < 300) return undefined;
  throw new ApiError(await problemOf(new Response(sent.responseText, { status })));
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
}

export const getJob = (id: string): Promise<JobRecord> => getJson(`jobs/${encodeURIComponent(id)}`);
export const listJobs = (status?: string): Promise<JobRecord[]> =>
  getJson(`jobs${status === undefined ? '' : `?status=${status}`}`);

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

/** Loads a document into a repository of a server: in one request, or in parts across broken connections. */
import { ClientError, failureOf } from './client-error.js';
import { Requests } from './requests.js';
import { pause } from './remote-feed.js';
import { mediaTypeOf } from './texts.js';
import type { ChangePreview, LoadDocumentOptions, LoadSource, ReopenedSource, SkippedLine } from './types.js';

interface JobState {
  readonly working: boolean;
  readonly status: string;
  readonly message: string;
  readonly revision?: string;
  readonly problems?: number;
}

/** The number of failed connections in a row without a received byte. */
const MOST_FAILURES = 8;
const FIRST_PAUSE_MS = 125;

interface Target {
  readonly method: 'POST' | 'PUT';
  readonly path: string;
  readonly parameters: Readonly<Record<string, string | undefined>>;
  readonly headers: Readonly<Record<string, string>>;
}

/** Where a document goes, and how it is read there. */
function targetOf(options: LoadDocumentOptions): Target {
  const { format, graph, baseIRI, replace = false, onError, maxErrors, jsonLd = {} } = options;
  const parameters = {
    context: graph === undefined ? undefined : `<${graph.value}>`,
    baseURI: baseIRI,
    'on-error': onError,
    'max-errors': maxErrors?.toString(),
    rdfDirection: jsonLd.rdfDirection,
    processingMode: jsonLd.processingMode,
  };
  const headers = { 'Content-Type': mediaTypeOf(format), ...changeHeaders(options) };
  return { method: replace ? 'PUT' : 'POST', path: '/statements', parameters, headers };
}

/** What a request says of the revision that it makes. */
export const changeHeaders = ({
  message,
  ifRevision,
}: Pick<LoadDocumentOptions, 'message' | 'ifRevision'>): Record<string, string> => ({
  ...(message !== undefined && { 'Revision-Message': encodeURIComponent(message) }),
  ...(ifRevision !== undefined && { 'If-Match': `"${ifRevision}"` }),
});

/** What a load would do. */
export function previewLoad(
  requests: Requests,
  source: LoadSource,
  options: LoadDocumentOptions,
): Promise<ChangePreview> {
  const target = targetOf(options);
  const parameters = { ...target.parameters, 'dry-run': '1' };
  return requests.json({ ...target, parameters, body: bodyOf(source), signal: options.signal });
}

/** Sends a document. The result is the id of the revision. */
export async function loadDocument(
  requests: Requests,
  source: LoadSource,
  options: LoadDocumentOptions,
): Promise<string | undefined> {
  const { onProblem, signal } = options;
  const again = reopened(source);
  if (again === undefined && onProblem !== undefined)
    throw new ClientError('onProblem: a stream cannot be sent in parts; give a function that opens it', {
      code: 'INVALID_OPTION',
      status: 0,
    });
  const isWhole = typeof source !== 'function' && !(source instanceof Blob);
  if (again === undefined || (isWhole && onProblem === undefined))
    return revisionIn(await requests.send({ ...targetOf(options), body: bodyOf(source), signal }));
  const { revision, job, problems } = await sendInParts(requests, again, options);
  if (onProblem !== undefined && problems > 0)
    for (const problem of await serverOf(requests).json<Omit<SkippedLine, 'kind'>[]>({
      path: `${job}/problems`,
      signal,
    }))
      onProblem({ kind: 'skipped', ...problem });
  return revision;
}

/** The id of the revision that an answer names. Its body is not read. */
export async function revisionIn(response: Response): Promise<string | undefined> {
  await response.body?.cancel();
  return /"([^"]+)"/.exec(response.headers.get('ETag') ?? '')?.[1]?.slice(0, 36);
}

export function bodyOf(source: string | LoadSource): BodyInit | AsyncIterable<Uint8Array> {
  if (typeof source === 'string') return source;
  if (typeof source === 'function') return opened(source);
  return 'text' in source && typeof source.text === 'string' ? source.text : (source as BodyInit);
}

async function* opened(open: ReopenedSource): AsyncGenerator<Uint8Array> {
  yield* (await open(0)) as AsyncIterable<Uint8Array>;
}

/** How a source is read from an offset; `undefined` for a stream, which is read once. */
function reopened(source: LoadSource): ((offset: number) => Promise<BodyInit> | BodyInit) | undefined {
  if (typeof source === 'function') return source as (offset: number) => Promise<BodyInit>;
  if (source instanceof ReadableStream) return undefined;
  const body = bodyOf(source) as string | Uint8Array<ArrayBuffer> | Blob;
  const blob = body instanceof Blob ? body : new Blob([body]);
  return (offset) => blob.slice(offset);
}

interface Sent {
  readonly revision: string | undefined;
  /** The path of the job below the server, which may tell skipped lines. */
  readonly job: string;
  readonly problems: number;
}

type Part = (offset: number) => Promise<BodyInit> | BodyInit;

async function sendInParts(requests: Requests, open: Part, options: LoadDocumentOptions): Promise<Sent> {
  const { bytesTotal, signal, onResume } = options;
  const { headers, ...target } = targetOf(options);
  const begun = await requests.send({
    ...target,
    headers: {
      ...headers,
      'Upload-Complete': '?0',
      ...(bytesTotal !== undefined && { 'Upload-Length': String(bytesTotal) }),
    },
    signal,
  });
  const job = /\/jobs\/[\w-]+$/.exec(begun.headers.get('Location') ?? '')?.[0];
  const { url } = requests.place;
  if (job === undefined) throw failureOf(url, new Error('it takes no uploads in parts'), signal);
  const server = serverOf(requests);
  let offset = 0;
  for (let failures = 0; ;) {
    try {
      return ended(await sendRest(server, job, open, offset, signal), job);
    } catch (error) {
      if (!isLost(error)) throw error;
      const state = await stateOf(server, job, signal).catch((again: unknown) => {
        if (!isLost(again) || ++failures >= MOST_FAILURES) throw again;
        return undefined;
      });
      if (state !== undefined && state.offset === undefined) return ended(state.job, job);
      if (state?.offset !== undefined && state.offset > offset) failures = 0;
      else if (++failures >= MOST_FAILURES) throw error;
      offset = state?.offset ?? offset;
      if (state !== undefined) onResume?.(offset);
      await pause(FIRST_PAUSE_MS * 2 ** failures, requests, signal);
    }
  }
}

/** The server of a repository, which has its jobs. */
const serverOf = ({ place }: Requests): Requests =>
  new Requests({ ...place, url: place.url.replace(/\/[^/]+\/[^/]+$/, ''), branch: undefined });

async function sendRest(
  server: Requests,
  path: string,
  open: Part,
  offset: number,
  signal: AbortSignal | undefined,
): Promise<JobState> {
  const headers = {
    'Content-Type': 'application/partial-upload',
    'Upload-Offset': String(offset),
    'Upload-Complete': '?1',
  };
  await server.send({ method: 'PATCH', path, body: await open(offset), headers, signal });
  return server.json<JobState>({ path, signal });
}

/** `offset` is missing where the job has ended. */
async function stateOf(
  server: Requests,
  path: string,
  signal: AbortSignal | undefined,
): Promise<{ readonly job: JobState; readonly offset: number | undefined }> {
  const response = await server.send({ path, signal });
  const job = (await response.json().catch((cause: unknown) => {
    throw failureOf(response.url, cause, signal);
  })) as JobState;
  const offset = response.headers.get('Upload-Offset');
  return { job, offset: job.working && offset !== null ? Number(offset) : undefined };
}

function ended({ status, message, revision, problems = 0 }: JobState, job: string): Sent {
  if (status === 'completed') return { revision, job, problems };
  throw new ClientError(`the import has ${status}: ${message}`, { code: 'FETCH_FAILED', status: 0 });
}

/** Whether a connection has failed, or the server and the client are of different minds about what has come. */
const isLost = (error: unknown): boolean =>
  error instanceof ClientError &&
  ((error.code === 'FETCH_FAILED' && error.cause !== undefined) || error.code === 'UPLOAD_CONFLICT');

/** Sends a file to a repository of a server, across broken connections: the server takes it in parts, as one revision. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { ClientError, Requests } from '@quadrille/client';
import { FetchError } from '@quadrille/model';

export interface UploadRequest {
  readonly file: string;
  /** Of the address, such as `context` and `on-error`. */
  readonly parameters: Readonly<Record<string, string | undefined>>;
  readonly method: 'POST' | 'PUT';
  readonly mediaType: string;
  readonly message?: string | undefined;
  readonly signal: AbortSignal;
  /** Called with the bytes that the server has, when a connection was lost. */
  readonly onResume: (bytes: number) => void;
}

interface JobState {
  readonly uuid: string;
  readonly working: boolean;
  readonly status: string;
  readonly message: string;
  readonly revision?: string;
  readonly problems?: number;
}

export interface Uploaded {
  /** The id of the revision. */
  readonly revision: string;
  /** The path of the job below the server, which may tell skipped lines. */
  readonly job: string;
  readonly problems: number;
}

/** The number of failed connections in a row without a received byte. */
const MOST_FAILURES = 8;
const FIRST_PAUSE_MS = 125;

/** Sends it by requests to a repository. @throws ClientError with the code of the server where it has refused the file */
export async function uploadFile(repository: Requests, request: UploadRequest): Promise<Uploaded> {
  const { file, parameters, method, mediaType, message, signal } = request;
  const { size } = await stat(file);
  const headers = {
    'Content-Type': mediaType,
    'Upload-Complete': '?0',
    'Upload-Length': String(size),
    ...(message !== undefined && { 'Revision-Message': encodeURIComponent(message) }),
  };
  const begun = await repository.send({ method, path: '/statements', parameters, headers, signal });
  const job = /\/jobs\/[\w-]+$/.exec(begun.headers.get('Location') ?? '')?.[0];
  if (job === undefined) throw new FetchError('FETCH_FAILED', `${repository.place.url} takes no uploads in parts`);
  const server = serverOf(repository);
  let offset = 0;
  for (let failures = 0; ;) {
    try {
      const state = await sendRest(server, job, request, offset);
      return { revision: state.revision ?? '', job, problems: state.problems ?? 0 };
    } catch (error) {
      signal.throwIfAborted();
      if (!isLost(error)) throw error;
      const state = await stateOf(server, job, signal).catch((again: unknown) => {
        if (!isLost(again) || ++failures >= MOST_FAILURES) throw again;
        return undefined;
      });
      if (state !== undefined && state.offset === undefined) return settled(state.job, job);
      if (state?.offset !== undefined && state.offset > offset) failures = 0;
      else if (++failures >= MOST_FAILURES) throw error;
      offset = state?.offset ?? offset;
      if (state !== undefined) request.onResume(offset);
      await new Promise((resolve) => setTimeout(resolve, FIRST_PAUSE_MS * 2 ** failures));
    }
  }
}

/** The server of a repository, which has its jobs. */
export const serverOf = ({ place: { url, token } }: Requests): Requests =>
  new Requests({ url: url.replace(/\/[^/]+\/[^/]+$/, ''), token, branch: undefined });

async function sendRest(
  server: Requests,
  path: string,
  { file, signal }: UploadRequest,
  offset: number,
): Promise<JobState> {
  await server.send({
    method: 'PATCH',
    path,
    body: createReadStream(file, { start: offset }),
    headers: { 'Content-Type': 'application/partial-upload', 'Upload-Offset': String(offset), 'Upload-Complete': '?1' },
    signal,
  });
  return server.json<JobState>({ path, signal });
}

/** `offset` is missing where the job has ended. */
async function stateOf(
  server: Requests,
  path: string,
  signal: AbortSignal,
): Promise<{ readonly job: JobState; readonly offset: number | undefined }> {
  const response = await server.send({ path, signal });
  const job = (await response.json()) as JobState;
  const offset = response.headers.get('Upload-Offset');
  return { job, offset: job.working && offset !== null ? Number(offset) : undefined };
}

/** The end of a job whose answer was lost. */
function settled({ status, message, revision = '', problems = 0 }: JobState, job: string): Uploaded {
  if (status === 'completed') return { revision, job, problems };
  throw new FetchError('FETCH_FAILED', `the import has ${status}: ${message}`);
}

/** Whether a connection has failed, or the server and the client are of different minds about what has come. */
const isLost = (error: unknown): boolean =>
  error instanceof ClientError &&
  ((error.code === 'FETCH_FAILED' && error.cause !== undefined) || error.code === 'UPLOAD_CONFLICT');

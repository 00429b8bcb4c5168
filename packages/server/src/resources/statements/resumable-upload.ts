/**
 * Uploads in parts, which survive broken connections: `Upload-Complete: ?0` begins one, and `PATCH /jobs/ID` goes on with it. The whole is one
 * import and one revision. The headers are those of the IETF's draft on resumable uploads.
 */
import { badRequest, clientRequestId, HttpError } from '../../http/index.js';
import type { Context } from '../../context.js';
import { FORM, mediaTypeOf } from '../../message/body.js';
import { commitOptions, refuseDryRun } from '../../parameters/commit-options.js';
import { Reply } from '../../message/reply.js';
import { ChangedRequest, type HttpRequest } from '../../message/request.js';
import { requireSameBranch } from '../../parameters/branch.js';
import { baseUrl, openRepository, type Service } from '../../service.js';
import { bodySource } from './document-upload.js';
import { answerMode, importOf, written } from './import-reply.js';
import type { WriteMethod } from './statement-source.js';
import { type UnfinishedUpload, UploadedBody } from './uploaded-body.js';

/** Bodies of these types are no documents. */
const NO_DOCUMENTS: ReadonlySet<string | undefined> = new Set([
  undefined,
  FORM,
  'multipart/form-data',
  'application/sparql-update',
  'application/x-rdftransaction',
]);
const PART_TYPES: ReadonlySet<string | undefined> = new Set([
  undefined,
  'application/partial-upload',
  'application/octet-stream',
  'application/offset+octet-stream',
]);

/** Whether a request brings only the first part of its body. */
export const isPartial = (request: HttpRequest): boolean => completeOf(request) === false;

/** Begins an import with the first part of its document. */
export async function beginUpload(service: Service, context: Context, method: WriteMethod): Promise<Reply> {
  const { request, caller } = context;
  if (NO_DOCUMENTS.has(mediaTypeOf(request)))
    throw new HttpError('UNSUPPORTED_MEDIA_TYPE', 'an upload in parts is one document, with its RDF type');
  refuseDryRun(context, 'an upload in parts has no preview; send the document in one request');
  const { imports, limits } = service.hosted;
  const body = new UploadedBody();
  const whole = new ChangedRequest(request, method, body.chunks());
  const source = bodySource(whole, limits.importBytes);
  const repository = await openRepository(service, context);
  const { signal: _, ...commit } = await commitOptions(service, context, repository);
  const importing = {
    ...importOf(service, context, { ...source, bytesTotal: lengthOf(request) }, method === 'PUT'),
    clientRequestId: clientRequestId(request.headers.get('Client-Request-Id')),
    branch: repository.branch,
    commit,
  };
  const started = await imports.start(caller, repository.name, importing, { durable: true });
  const upload: UnfinishedUpload = { body, started };
  service.uploads.set(started.uuid, upload);
  const ended = (): void => {
    body.close();
    service.uploads.delete(started.uuid);
  };
  started.done.then(ended, ended);
  await appended(upload, request, 0);
  return new Reply(null, {
    status: 202,
    headers: { Location: `${baseUrl(service, context)}/jobs/${started.uuid}`, ...uploadFields(upload) },
  });
}

/**
 * Goes on with an upload. The last part is answered when the import has ended, like a write in one request.
 * @throws HttpError 400, 409 with the `Upload-Offset` to go on from, 415; what ends the import
 */
export async function continueUpload(service: Service, context: Context): Promise<Reply> {
  const { request, caller } = context;
  const { hosted, uploads } = service;
  const job = hosted.jobs.get(caller, context.param('id') ?? '');
  const { branch = 'main' } = job;
  requireSameBranch(context, branch);
  await hosted.rights.openToCommit(caller, job.repository, branch);
  const upload = uploads.get(job.uuid);
  if (upload === undefined) throw new HttpError('UPLOAD_CONFLICT', `the job is ${job.status}, and takes no upload`);
  if (!PART_TYPES.has(mediaTypeOf(request)) || request.headers.has('Content-Encoding'))
    throw new HttpError(
      'UNSUPPORTED_MEDIA_TYPE',
      'a part is sent as application/partial-upload, without a coding of its own',
    );
  const isLast = completeOf(request);
  if (isLast === undefined) throw badRequest('the header Upload-Complete is missing: ?0, or ?1 for the last part');
  const mode = answerMode(request.headers);
  await appended(upload, request, offsetOf(request));
  if (!isLast) return new Reply(null, { status: 204, headers: uploadFields(upload) });
  upload.body.complete();
  if (mode !== 'execute') {
    return new Reply(null, { status: 202, headers: { Location: `${baseUrl(service, context)}/jobs/${job.uuid}` } });
  }
  return written(await upload.started.done);
}

/** The headers that tell how far an upload is. */
export const uploadFields = ({ body }: UnfinishedUpload): Readonly<Record<string, string>> => ({
  'Upload-Offset': String(body.received),
  'Upload-Complete': body.isComplete ? '?1' : '?0',
});

/** Takes the body of a request. An import that fails meanwhile ends the request with its reason. */
async function appended({ body, started }: UnfinishedUpload, request: HttpRequest, offset: number): Promise<void> {
  const part = body.append(request.body ?? nothing(), offset);
  part.catch(() => undefined);
  await Promise.race([part, started.done]);
}

async function* nothing(): AsyncGenerator<Uint8Array> {
  yield* [];
}

/** `Upload-Complete`; `undefined` without it. */
function completeOf({ headers }: HttpRequest): boolean | undefined {
  const text = headers.get('Upload-Complete')?.trim();
  if (text === undefined) return undefined;
  if (text === '?0' || text === '?1') return text === '?1';
  throw badRequest('Upload-Complete is ?0 or ?1');
}

function offsetOf({ headers }: HttpRequest): number {
  const text = headers.get('Upload-Offset')?.trim() ?? '';
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw badRequest('Upload-Offset is the number of bytes that came before this part');
}

/** The length of the whole document, where the client tells it. */
function lengthOf({ headers }: HttpRequest): number | undefined {
  const text = headers.get('Upload-Length')?.trim() ?? '';
  return /^\d{1,15}$/.test(text) && Number(text) > 0 ? Number(text) : undefined;
}

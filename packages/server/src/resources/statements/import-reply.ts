/** Imports for requests. The answer waits for the end, or is sent at once if the client asks for that. */
import { badRequest, clientRequestId } from '../../http/index.js';
import type { Callback, ImportRequest, ImportSource, StartedImport } from '../../host/index.js';
import type { Context } from '../../context.js';
import type { CommitOptions, Revision } from 'quadrille';
import { type CallbackNote, type CallbackWish, callbackWish, completionCallback } from './completion-callback.js';
import { commitOptions, isDryRun, previewReply, refuseDryRun } from '../../parameters/commit-options.js';
import { entityTag } from '../../message/conditional.js';
import { errorOptions } from '../../parameters/skipped-errors.js';
import { jsonLdOf } from '../../parameters/document-options.js';
import { graphsToWrite } from '../../parameters/selected-graphs.js';
import { baseUrl, openRepository, repositoryUrl, type Service } from '../../service.js';
import { baseOf } from '../../parameters/terms.js';
import { elementsOf } from '../../message/header-list.js';
import { Reply, ReplyHeaders } from '../../message/reply.js';
import type { RequestHeaders } from '../../message/request.js';

/** The reply to a completed write. */
export const written = (revision: Revision): Reply =>
  new Reply(null, { status: 204, headers: { ETag: entityTag(revision) } });

/** `execute`: the client waits for the end. `notify` and `prefer`: the two headers that ask for an immediate answer. */
export type AnswerMode = 'execute' | 'notify' | 'prefer';

/** @throws HttpError 400 for a mode that is none */
export function answerMode(headers: RequestHeaders): AnswerMode {
  const mode = headers.get('Accept-Asynchronous')?.trim().toLowerCase() ?? '';
  if (mode === 'notify' || mode === 'execute') return mode;
  if (mode !== '') throw badRequest('Accept-Asynchronous is notify or execute');
  const preferences = elementsOf(headers.get('Prefer') ?? '');
  return preferences.some(({ value }) => value.toLowerCase() === 'respond-async') ? 'prefer' : 'execute';
}

/** The import of a document. `replace` removes the previous content of its graphs, or of the repository, in the same revision. */
export const importOf = (
  service: Service,
  context: Context,
  source: ImportSource,
  replace: boolean,
): Omit<ImportRequest, 'signal'> => ({
  source,
  replace: replace && service.hosted.put === 'replace',
  graphs: graphsToWrite(context.parameters),
  baseIRI: baseIriOf(context.parameters, 'url' in source ? undefined : repositoryUrl(service, context)),
  jsonLd: jsonLdOf(context.parameters),
  ...errorOptions(context.parameters),
});

/** The new revision; or a reply where the client does not wait, or asks for a preview. */
export async function runImport(
  service: Service,
  context: Context,
  request: Omit<ImportRequest, 'signal'>,
): Promise<Revision | Reply> {
  const { headers, signal } = context.request;
  const mode = answerMode(headers);
  const wish = mode === 'execute' ? undefined : callbackWish(headers);
  if (wish !== undefined) {
    service.hosted.callbacks.check(wish.url);
    service.hosted.callbacks.admit();
  }
  const repository = await openRepository(service, context);
  const commit: CommitOptions = request.commit ?? (await commitOptions(service, context, repository));
  const { imports } = service.hosted;
  if (isDryRun(context)) {
    if (mode !== 'execute') refuseDryRun(context, 'a preview is told at once: ask for no other answer');
    const asked = { ...request, commit, signal };
    return previewReply(repository, () => imports.preview(context.caller, repository, asked));
  }
  const id = clientRequestId(headers.get('Client-Request-Id'));
  const told: ImportRequest = Object.assign(
    { ...request },
    { branch: repository.branch, commit, clientRequestId: id, signal },
  );
  if (mode === 'execute') return imports.run(context.caller, repository, told);
  const client = new AbortController();
  const follow = (): void => client.abort(signal.reason);
  signal.addEventListener('abort', follow);
  if (signal.aborted) follow();
  const importing: ImportRequest = { ...told, signal: client.signal };
  try {
    const started = await imports.start(context.caller, repository.name, importing, { durable: true });
    if (wish !== undefined) await tellWhenDone(service, started, wish, repositoryUrl(service, context));
    // After the document was received, the import goes on without the client.
    if (!('url' in request.source)) await started.received;
    return accepted(service, context, started, mode);
  } finally {
    signal.removeEventListener('abort', follow);
  }
}

function tellWhenDone(
  { hosted }: Service,
  { uuid, done, job }: StartedImport,
  wish: CallbackWish,
  repository: string,
): Promise<void> {
  const told = (): Promise<Callback> => completionCallback(wish, job(), repository);
  const note: CallbackNote = { wish, repository };
  return hosted.callbacks.send(uuid, note, done.then(told, told));
}

/** The base IRI: `baseURI`, else `fallback`. */
function baseIriOf(parameters: URLSearchParams, fallback: string | undefined): string | undefined {
  const given = parameters.get('baseURI')?.trim() ?? '';
  return given === '' ? fallback : baseOf(parameters, given);
}

function accepted(service: Service, context: Context, { uuid }: StartedImport, mode: AnswerMode): Reply {
  const headers = new ReplyHeaders({ Location: `${baseUrl(service, context)}/jobs/${uuid}` });
  if (mode === 'prefer') headers.set('Preference-Applied', 'respond-async');
  return new Reply(null, { status: 202, headers });
}

/**
 * Completion callbacks of asynchronous imports: the headers `Asynchronous-Location`, `-Method`,
 * `-Content-Type` and `-Authorization`, and the document of the callback.
 */
import { typeOf } from '../../message/header-list.js';
import { badRequest, HttpError } from '../../http/index.js';
import type * as RDF from '@rdfjs/types';
import { type Callback, type Job, OPERATOR, type Service as HostedService } from '../../host/index.js';
import { iri, literal, type Logger, quad } from 'quadrille';
import { graphDocument } from '../../documents/answer-document.js';
import { contentType, rdfFormat } from '../../documents/media-types.js';
import { dateTime } from '../../documents/revision-records.js';
import type { RequestHeaders } from '../../message/request.js';

const AS = 'https://www.w3.org/ns/activitystreams#';
const PROV = 'http://www.w3.org/ns/prov#';
const RDF_TYPE = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type';
const PREFIXES = { as: AS, prov: PROV, xsd: 'http://www.w3.org/2001/XMLSchema#' };
const DEFAULT_TYPE = 'application/n-triples';

/** The callback that a client asked for. */
export interface CallbackWish {
  readonly url: string;
  readonly method: 'PUT' | 'POST';
  readonly mediaType: string;
  readonly authorization: string | undefined;
  /** `Client-Request-Id`. */
  readonly inReplyTo: string | undefined;
}

/** The stored data of a callback: enough to make it when the job has ended. */
export interface CallbackNote {
  readonly wish: CallbackWish;
  /** The address of its repository. */
  readonly repository: string;
}

/** Sends the callbacks that the previous process did not send. */
export function resumeCallbacks({ callbacks, jobs }: HostedService, logger: Logger | undefined): void {
  for (const [uuid, note] of callbacks.takeUnsent()) {
    const { wish, repository } = note as CallbackNote;
    const made = async (): Promise<Callback> => {
      callbacks.check(wish.url);
      return completionCallback(wish, jobs.get(OPERATOR, uuid), repository);
    };
    callbacks
      .send(uuid, note, made())
      .catch((error: unknown) => logger?.warn('a callback could not be resumed', { job: uuid, error: String(error) }));
  }
}

/** `undefined` where no location is named. @throws HttpError 400, 415 */
export function callbackWish(headers: RequestHeaders): CallbackWish | undefined {
  const url = headers.get('Asynchronous-Location')?.trim() ?? '';
  if (url === '') return undefined;
  const method = headers.get('Asynchronous-Method')?.trim().toUpperCase() ?? 'POST';
  if (method !== 'PUT' && method !== 'POST') throw badRequest('Asynchronous-Method is PUT or POST');
  const type = typeOf(headers.get('Asynchronous-Content-Type')) ?? DEFAULT_TYPE;
  if (rdfFormat(type)?.createSerializer === undefined) {
    throw new HttpError('UNSUPPORTED_MEDIA_TYPE', `Asynchronous-Content-Type is no RDF type: ${type.slice(0, 100)}`);
  }
  return {
    url,
    method,
    mediaType: type,
    authorization: headers.get('Asynchronous-Authorization')?.trim(),
    inReplyTo: headers.get('Client-Request-Id')?.trim(),
  };
}

/** The request for a job that has ended. `repository` is the address of its repository. */
export async function completionCallback(wish: CallbackWish, job: Job, repository: string): Promise<Callback> {
  let body = '';
  for await (const chunk of graphDocument(wish.mediaType, activity(wish, job, repository), PREFIXES)) body += chunk;
  const { url, method, authorization, inReplyTo } = wish;
  return {
    url,
    method,
    headers: {
      'content-type': contentType(wish.mediaType),
      ...(authorization === undefined ? {} : { authorization }),
      ...(inReplyTo === undefined ? {} : { 'client-request-id': inReplyTo }),
    },
    body,
  };
}

/** An ActivityStreams Update. Its object is the new revision; it has none if the job failed. */
function* activity({ inReplyTo }: CallbackWish, job: Job, repository: string): Generator<RDF.Quad> {
  const update = iri(`urn:uuid:${job.uuid}`);
  const say = (predicate: string, object: RDF.Quad_Object): RDF.Quad => quad(update, iri(predicate), object);
  yield say(RDF_TYPE, iri(`${AS}Update`));
  yield say('urn:quadrille:status', literal(job.status));
  yield say(`${AS}summary`, literal(job.message));
  yield say(`${AS}target`, iri(repository));
  if (inReplyTo !== undefined) yield say(`${AS}inReplyTo`, nameOf(inReplyTo));
  if (job.started !== undefined) yield say(`${PROV}startedAtTime`, dateTime(new Date(job.started)));
  if (job.finished !== undefined) yield say(`${PROV}endedAtTime`, dateTime(new Date(job.finished)));
  if (job.revision !== undefined) yield say(`${AS}object`, iri(`${repository}?revision-id=${job.revision}`));
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const IRI = /^[a-z][a-z0-9+.-]*:[^\s<>"{}|\\^`]+$/i;

function nameOf(id: string): RDF.NamedNode | RDF.Literal {
  if (UUID.test(id)) return iri(`urn:uuid:${id.toLowerCase()}`);
  return IRI.test(id) ? iri(id) : literal(id);
}

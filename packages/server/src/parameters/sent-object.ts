/** The JSON object of a request that administers the server. A mistyped member must not be ignored: it could say `expires`. */
import { badRequest } from '../http/index.js';
import { InvalidRecordError } from '@quadrille/model';
import { bodyJson, bodyText, MAX_METADATA_BYTES, MAX_QUERY_BYTES, parseJson, requireJson } from '../message/body.js';
import type { Context } from '../context.js';

export type SentObject = Readonly<Record<string, unknown>>;

/**
 * The members of the object, all of them in the record of the resource; the caller checks those of a record that may have others.
 * @throws HttpError 400, 413 and 415; InvalidRecordError for unknown members
 */
export async function sentObject(
  { request, takes }: Pick<Context, 'request' | 'takes'>,
  mostBytes = MAX_METADATA_BYTES,
): Promise<SentObject> {
  return membersOf(await bodyJson(request, mostBytes), takes?.members);
}

/** The same of a request that may come without a body: it has no members then. */
export async function sentOptions({ request, takes }: Context): Promise<SentObject> {
  const text = await bodyText(request, MAX_QUERY_BYTES);
  if (text.trim() === '') return {};
  requireJson(request);
  return membersOf(parseJson(text), takes?.members);
}

function membersOf(value: unknown, known?: readonly string[]): SentObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw badRequest('the body is no JSON object');
  const unknown = Object.keys(value).filter((name) => known?.includes(name) === false);
  if (unknown.length === 0) return value as SentObject;
  const fields = unknown.map((name) => [name.slice(0, 100), ['is not known']] as const);
  throw new InvalidRecordError(Object.fromEntries(fields));
}

/** A text of an object; `undefined` where it is missing or null. @throws InvalidRecordError */
export function textOf(sent: SentObject, name: string): string | undefined {
  const value = sent[name] ?? undefined;
  if (value === undefined || typeof value === 'string') return value;
  throw new InvalidRecordError({ [name]: ['must be a text'] });
}

/** A switch of an object; `undefined` where it is missing or null. @throws InvalidRecordError */
export function switchOf(sent: SentObject, name: string): boolean | undefined {
  const value = sent[name] ?? undefined;
  if (value === undefined || typeof value === 'boolean') return value;
  throw new InvalidRecordError({ [name]: ['must be true or false'] });
}

/** The revision that a request names, in the forms that docs/reference/http.md lists, as a ref of the library. */
import { refuseParameter } from '../http/index.js';
import type { RequestHeaders } from '../message/request.js';

const PARAMETERS = ['revision-id', 'revision', 'revision-uuid'];
const SHOWN = 200;
const refuse = refuseParameter('revision-id');

/** From one revision to another, as refs. */
export interface RefInterval {
  readonly from: string;
  readonly to: string;
}

/** The ref of a read; `undefined` if it is missing or empty. */
export function revisionRef(parameters: URLSearchParams, headers: RequestHeaders): string | undefined {
  const text = namedRevision(parameters, headers);
  return text === undefined ? undefined : oneRef(text);
}

/** For a change of what the revision says: without one it would be of another. @throws HttpError 400 where it is empty */
export function requireRevision(parameters: URLSearchParams): void {
  const empty = PARAMETERS.find((name) => parameters.get(name)?.trim() === '');
  if (empty !== undefined) throw refuseParameter(empty)(`${empty} is empty: name a revision, or leave it out`);
}

/** The interval `A--B` of a request about history; `undefined` if there is none. `*` means the first or the last revision. */
export function revisionInterval(parameters: URLSearchParams, headers: RequestHeaders): RefInterval | undefined {
  const text = namedRevision(parameters, headers);
  if (text === undefined || !text.includes('--')) return undefined;
  const [from, to, more] = unwrap(text).split('--');
  if (from === undefined || to === undefined || more !== undefined) {
    throw refuse(`not an interval of revisions: ${text.slice(0, SHOWN)}`);
  }
  return { from: endOf(from, 'TAIL', text), to: endOf(to, 'HEAD', text) };
}

function endOf(text: string, open: string, whole: string): string {
  const ref = unwrap(text.trim());
  if (ref === '') throw refuse(`an end of the interval is missing: ${whole.slice(0, SHOWN)}`);
  return ref === '*' ? open : ref;
}

/** A single revision in a parameter, a header or a path; `undefined` for an empty text. */
export function oneRef(text: string): string | undefined {
  const ref = unwrap(text.trim());
  if (ref === '') return undefined;
  if (ref.includes('--')) throw refuse(`an interval of revisions has no meaning here: ${ref.slice(0, SHOWN)}`);
  return ref;
}

/** Refuses a write that names a revision, because writes always apply to the current one. */
export function refuseRevision(parameters: URLSearchParams, headers: RequestHeaders): void {
  if (!namesRevision(parameters, headers)) return;
  throw refuse(
    'a write applies to the current revision; leave revision-id out, or use If-Match to name what it must be',
  );
}

export const namesRevision = (parameters: URLSearchParams, headers: RequestHeaders): boolean =>
  namedRevision(parameters, headers) !== undefined;

/** Whether a ref always means the same revision. */
export const isFixedRef = (ref: string): boolean => FIXED_REF.test(ref);
const FIXED_REF = /^(?:urn:.*:)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

/** The UUID in any of the forms of a revision; `undefined` if there is none. */
export const namedUuid = (text: string): string | undefined => FIXED_REF.exec(unwrap(text.trim()))?.[1];

function namedRevision(parameters: URLSearchParams, headers: RequestHeaders): string | undefined {
  for (const name of PARAMETERS) {
    const value = parameters.get(name)?.trim();
    if (value !== undefined && value !== '') return value;
  }
  const header = headers.get('Revision')?.trim();
  return header === undefined || header === '' ? undefined : header;
}

const TIME_WITHOUT_ZONE = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/;

function unwrap(text: string): string {
  const literal = /^"([^"]*)"(?:\^\^.+)?$/.exec(text);
  const inner = literal?.[1] ?? /^<([^<>]*)>$/.exec(text)?.[1] ?? text;
  // A plus sign that was not percent-encoded arrives as a blank: 2026-01-01T00:00:00 02:00.
  const ref = inner.trim().replace(/^(\d{4}-\d\d-\d\dT[\d:.]+) (\d\d:?\d\d)$/, '$1+$2');
  // A time without a zone means the same on every machine.
  return TIME_WITHOUT_ZONE.test(ref) ? `${ref}Z` : ref;
}

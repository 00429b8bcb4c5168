/** The revision that a request names, in the shapes of the interface (section 15), as a `ref` of the library. */
import { badRequest } from './http-error.js';

const PARAMETERS = ['revision-id', 'revision', 'revision-uuid'];

/** The ref of a reading request; `undefined` where none is named, or an empty one. */
export function revisionRef(parameters: URLSearchParams, headers: Headers): string | undefined {
  const text = namedRevision(parameters, headers);
  if (text === undefined) return undefined;
  const ref = unwrap(text);
  if (ref === '') return undefined;
  if (ref.includes('--')) throw badRequest(`an interval of revisions has no meaning here: ${ref.slice(0, 200)}`);
  return ref;
}

/** Writes go to the current revision; one that names another is refused before anything happens. */
export function refuseRevision(parameters: URLSearchParams, headers: Headers): void {
  if (namedRevision(parameters, headers) === undefined) return;
  throw badRequest(
    'a write applies to the current revision; leave revision-id out, or use If-Match to name what it must be',
  );
}

function namedRevision(parameters: URLSearchParams, headers: Headers): string | undefined {
  for (const name of PARAMETERS) {
    const value = parameters.get(name)?.trim();
    if (value !== undefined && value !== '') return value;
  }
  const header = headers.get('Revision')?.trim();
  return header === undefined || header === '' ? undefined : header;
}

function unwrap(text: string): string {
  const literal = /^"([^"]*)"(?:\^\^.+)?$/.exec(text);
  const inner = literal?.[1] ?? /^<([^<>]*)>$/.exec(text)?.[1] ?? text;
  // A plus sign that was not percent-encoded arrives as a blank: 2026-01-01T00:00:00 02:00.
  return inner.trim().replace(/^(\d{4}-\d\d-\d\dT[\d:.]+) (\d\d:?\d\d)$/, '$1+$2');
}

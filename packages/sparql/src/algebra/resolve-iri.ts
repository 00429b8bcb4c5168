/** Relative IRI references against a base (RFC 3986, section 5.2), without the normalisation that a URL parser does. */
import { isAbsoluteIri } from '@quadrille/model';

const PARTS = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;

interface Parts {
  readonly scheme: string | undefined;
  readonly authority: string | undefined;
  readonly path: string;
  readonly query: string | undefined;
  readonly fragment: string | undefined;
}

function split(iri: string): Parts {
  const [, scheme, authority, path = '', query, fragment] = PARTS.exec(iri) ?? [];
  return { scheme, authority, path, query, fragment };
}

function removeDotSegments(path: string): string {
  const output: string[] = [];
  const segments = path.split('/');
  for (const [index, segment] of segments.entries()) {
    const last = index === segments.length - 1;
    if (segment === '..' && output.length > 1) output.pop();
    if (segment !== '.' && segment !== '..') output.push(segment);
    else if (last) output.push('');
  }
  return output.join('/');
}

function mergePaths(base: Parts, path: string): string {
  if (base.authority !== undefined && base.path === '') return `/${path}`;
  return base.path.slice(0, base.path.lastIndexOf('/') + 1) + path;
}

function join({ scheme, authority, path, query, fragment }: Parts): string {
  return (
    `${scheme}:` +
    (authority === undefined ? '' : `//${authority}`) +
    path +
    (query === undefined ? '' : `?${query}`) +
    (fragment === undefined ? '' : `#${fragment}`)
  );
}

/** The absolute IRI, or undefined where it would not be a legal one. */
export function resolveIri(reference: string, baseIRI: string | undefined): string | undefined {
  if (isAbsoluteIri(reference)) return reference;
  if (baseIRI === undefined) return undefined;
  const base = split(baseIRI);
  const given = split(reference);
  if (given.scheme !== undefined || base.scheme === undefined) return undefined;
  const resolved = join(transform(base, given));
  return isAbsoluteIri(resolved) ? resolved : undefined;
}

function transform(base: Parts, given: Parts): Parts {
  const { scheme } = base;
  if (given.authority !== undefined) return { ...given, scheme, path: removeDotSegments(given.path) };
  const { authority } = base;
  if (given.path === '') return { ...base, query: given.query ?? base.query, fragment: given.fragment };
  const path = given.path.startsWith('/') ? given.path : mergePaths(base, given.path);
  return { scheme, authority, path: removeDotSegments(path), query: given.query, fragment: given.fragment };
}

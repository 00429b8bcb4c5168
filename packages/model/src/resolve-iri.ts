/** Resolves relative references against a base (RFC 3986, section 5.2). Works on text only and normalises nothing. */

// RFC 3986, appendix B.
const PARTS = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;
const ABSOLUTE = /^[A-Za-z][A-Za-z0-9+.-]*:/;

interface Reference {
  readonly scheme: string | undefined;
  readonly authority: string | undefined;
  readonly path: string;
  readonly query: string | undefined;
  readonly fragment: string | undefined;
}

/** Resolves a reference. Without a base it returns a relative reference unchanged. */
export function resolveIri(reference: string, base: string | undefined): string {
  if (base === undefined || ABSOLUTE.test(reference)) return reference;
  return join(resolve(split(reference), split(base)));
}

function resolve(reference: Reference, base: Reference): Reference {
  const { fragment } = reference;
  const { scheme } = base;
  if (reference.authority !== undefined) {
    return { ...reference, scheme, path: removeDotSegments(reference.path) };
  }
  const { authority } = base;
  if (reference.path === '') {
    return { scheme, authority, path: base.path, query: reference.query ?? base.query, fragment };
  }
  const path = removeDotSegments(reference.path.startsWith('/') ? reference.path : merge(reference.path, base));
  return { scheme, authority, path, query: reference.query, fragment };
}

function merge(path: string, base: Reference): string {
  if (base.authority !== undefined && base.path === '') return `/${path}`;
  return base.path.slice(0, base.path.lastIndexOf('/') + 1) + path;
}

function removeDotSegments(path: string): string {
  if (!/(?:^|\/)\.\.?(?:\/|$)/.test(path)) return path;
  const output: string[] = [];
  const segments = path.split('/');
  segments.forEach((segment, index) => {
    const last = index === segments.length - 1;
    if (segment !== '.' && segment !== '..') output.push(segment);
    else {
      if (segment === '..' && (output.length > 1 || (output.length === 1 && output[0] !== ''))) output.pop();
      if (last) output.push('');
    }
  });
  return output.join('/');
}

function split(iri: string): Reference {
  const [, scheme, authority, path = '', query, fragment] = PARTS.exec(iri) ?? [];
  return { scheme, authority, path, query, fragment };
}

function join({ scheme, authority, path, query, fragment }: Reference): string {
  const start = `${scheme === undefined ? '' : `${scheme}:`}${authority === undefined ? '' : `//${authority}`}`;
  return `${start}${path}${query === undefined ? '' : `?${query}`}${fragment === undefined ? '' : `#${fragment}`}`;
}

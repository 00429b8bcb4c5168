/** IRIs of requests against their base. */
import { isAbsoluteIri } from '@quadrille/model';
import { resolveIri } from '@quadrille/model/resolve-iri';

/** What has a colon before its first slash has a scheme, legal or not. */
const HAS_SCHEME = /^[^/?#]*:/;

/** The absolute IRI, or undefined where it would not be a legal one. */
export function resolveLegalIri(reference: string, baseIRI: string | undefined): string | undefined {
  if (isAbsoluteIri(reference)) return reference;
  if (baseIRI === undefined || HAS_SCHEME.test(reference)) return undefined;
  const resolved = resolveIri(reference, baseIRI);
  return isAbsoluteIri(resolved) ? resolved : undefined;
}

/** Properties of a representation besides its media type: prefixes and the JSON-LD profile. They become part of the entity tag. */
import { elementsOf } from '../message/header-list.js';
import { isRowsType, rdfFormat } from './media-types.js';

/** Formats without prefixes. */
const WITHOUT_PREFIXES: ReadonlySet<string> = new Set(['application/n-triples', 'application/n-quads']);

/** Whether Accept asks for JSON-LD without a context, by the profile `expanded`. */
export const wantsExpanded = (mediaType: string, accept: string | undefined): boolean =>
  mediaType === 'application/ld+json' &&
  elementsOf(accept ?? '').some(
    ({ value, parameters }) =>
      value.toLowerCase() === mediaType && /#expanded(?![\w-])/i.test(parameters.get('profile') ?? ''),
  );

/** The suffix of the entity tag of a document with prefixes, because prefixes change without a new revision. */
export function tagSuffix(mediaType: string, prefixes: Readonly<Record<string, string>>): string | undefined {
  const format = rdfFormat(mediaType);
  if (format === undefined || WITHOUT_PREFIXES.has(format.mediaTypes[0] ?? '')) return undefined;
  return `${format.extensions[0] ?? format.name}-${hash(prefixText(Object.entries(prefixes)))}`;
}

/**
 * The suffix of the tag of an answer: what its document carries, else the prefixes of the repository that the query uses.
 * `used` are those of the query, with what they stand for.
 */
export function answerSuffix(
  mediaType: string,
  used: Readonly<Record<string, string>>,
  prefixes: Readonly<Record<string, string>>,
): string | undefined {
  const suffix = isRowsType(mediaType) ? undefined : tagSuffix(mediaType, prefixes);
  if (suffix !== undefined) return suffix;
  const shared = Object.entries(used).filter(([prefix, iri]) => prefixes[prefix] === iri);
  return shared.length === 0 ? undefined : `p-${hash(prefixText(shared))}`;
}

const prefixText = (prefixes: readonly (readonly [string, string])[]): string =>
  prefixes
    .map(([prefix, iri]) => `${prefix} ${iri}`)
    .toSorted()
    .join('\n');

/** FNV-1a over UTF-16 code units, in base 36. */
export function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return (value >>> 0).toString(36);
}

/** What one revision is shown as, where more than its media type decides that. */
import { RecentMap } from '@quadrille/model';
import { isRowsType, rdfFormat } from './media-types.js';

/** These write every term in full. */
const WITHOUT_PREFIXES: ReadonlySet<string> = new Set(['application/n-triples', 'application/n-quads']);

/** Whether the client wants JSON-LD without a context: by the profile `expanded` in its Accept. */
export const wantsExpanded = (mediaType: string, accept: string | undefined): boolean =>
  mediaType === 'application/ld+json' && accept !== undefined && EXPANDED.test(accept);
const EXPANDED = /application\/ld\+json\s*;[^,]*\bprofile\s*=\s*"?[^",;]*#expanded\b/i;

/** The suffix of the tag of a document that carries prefixes, which change without a revision. */
export function tagSuffix(mediaType: string, prefixes: Readonly<Record<string, string>>): string | undefined {
  const format = rdfFormat(mediaType);
  if (format === undefined || WITHOUT_PREFIXES.has(format.mediaTypes[0] ?? '')) return undefined;
  return `${format.extensions[0] ?? format.name}-${hash(prefixText(Object.entries(prefixes)))}`;
}

/**
 * The suffix of the tag of an answer: what its document carries, else the prefixes that the text of the query may use without
 * declaring them.
 */
export function answerSuffix(
  mediaType: string,
  query: string,
  prefixes: Readonly<Record<string, string>>,
): string | undefined {
  const suffix = isRowsType(mediaType) ? undefined : tagSuffix(mediaType, prefixes);
  return suffix ?? usedPrefixes(query, prefixes);
}

/** The answers about the same prefixes before, `''` for none: texts come again. */
const known = new WeakMap<object, RecentMap<string, string>>();
const MOST_KNOWN = 512;
const LONGEST_KNOWN = 16_384;

function usedPrefixes(query: string, prefixes: Readonly<Record<string, string>>): string | undefined {
  if (query.length > LONGEST_KNOWN) return suffixOfUsed(query, prefixes);
  let suffixes = known.get(prefixes);
  if (suffixes === undefined) known.set(prefixes, (suffixes = new RecentMap(MOST_KNOWN)));
  let suffix = suffixes.get(query);
  if (suffix === undefined) suffixes.set(query, (suffix = suffixOfUsed(query, prefixes) ?? ''));
  return suffix || undefined;
}

function suffixOfUsed(query: string, prefixes: Readonly<Record<string, string>>): string | undefined {
  const used = Object.entries(prefixes).filter(([prefix]) => query.includes(`${prefix}:`));
  return used.length === 0 ? undefined : `p-${hash(prefixText(used))}`;
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

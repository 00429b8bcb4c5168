/** What one revision is shown as, where more than its media type decides that. */
import { rdfFormat } from './media-types.js';

/** These write every term in full. */
const WITHOUT_PREFIXES: ReadonlySet<string> = new Set(['application/n-triples', 'application/n-quads']);

/** The suffix of the tag of a document that carries prefixes, which change without a revision. */
export function tagSuffix(mediaType: string, prefixes: Readonly<Record<string, string>>): string | undefined {
  const format = rdfFormat(mediaType);
  if (format === undefined || WITHOUT_PREFIXES.has(format.mediaTypes[0] ?? '')) return undefined;
  const text = Object.entries(prefixes)
    .map(([prefix, iri]) => `${prefix} ${iri}`)
    .toSorted()
    .join('\n');
  return `${format.extensions[0] ?? format.name}-${hash(text)}`;
}

/** FNV-1a over UTF-16 code units, in base 36. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return (value >>> 0).toString(36);
}

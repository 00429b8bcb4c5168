/** Language tags: they are equal whatever their case, and are shown in the case that RFC 5646 recommends. */

export const LANGUAGE_TAG = /^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*$/;

/** Data have few tags, which come with nearly every literal. Bounded, since data may hold anything. */
const MAX_KNOWN = 1024;
const known = new Map<string, string>();

/**
 * A language tag in the case of RFC 5646, section 2.1.1: `en`, `en-GB`, `zh-Hant-TW`, `en-x-ab`. What is no tag comes back as it is.
 * @example canonicalLanguage('EN-gb') // 'en-GB'
 */
export function canonicalLanguage(tag: string): string {
  let canonical = known.get(tag);
  if (canonical === undefined) {
    canonical = LANGUAGE_TAG.test(tag) ? withCanonicalCase(tag) : tag;
    if (known.size < MAX_KNOWN) known.set(tag, canonical);
  }
  return canonical;
}

function withCanonicalCase(tag: string): string {
  // Behind a subtag of one letter, an extension or a private one begins, which is all in lower case.
  let isExtension = false;
  return tag
    .toLowerCase()
    .split('-')
    .map((part, index) => {
      if (part.length === 1) isExtension = true;
      if (index === 0 || isExtension) return part;
      if (part.length === 2) return part.toUpperCase();
      return part.length === 4 && !/^\d/.test(part) ? part.charAt(0).toUpperCase() + part.slice(1) : part;
    })
    .join('-');
}

/** Names of resources in the language of the user. */

const LABELS =
  /(?:rdf-schema#label|core#prefLabel|schema\.org\/name|dc\/(?:terms|elements\/1\.1)\/title|foaf\/0\.1\/name)$/;

/** Whether values of a predicate are names. */
export const isLabel = (predicate: string): boolean => LABELS.test(predicate);

/** The first part of a language tag; empty for a text without one. */
export const languageOf = (tag: string | undefined): string => tag?.split('-')[0]?.toLowerCase() ?? '';

/**
 * The language of the name that the user reads best.
 * @param labels by language
 * @param tags of the languages that the user reads, the best one first
 * @returns undefined where there is no name
 */
export function preferredLanguage(labels: ReadonlyMap<string, string>, tags: readonly string[]): string | undefined {
  return [...tags.map(languageOf), 'en', ...labels.keys()].find((language) => labels.has(language));
}

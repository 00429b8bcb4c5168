/** The name of a resource, as the repository has it. */
import { select } from '../api/sparql.js';
import { languageOf, preferredLanguage } from './labels.js';

const PREDICATES = [
  'http://www.w3.org/2000/01/rdf-schema#label',
  'http://www.w3.org/2004/02/skos/core#prefLabel',
  'http://schema.org/name',
  'http://xmlns.com/foaf/0.1/name',
  'http://purl.org/dc/terms/title',
];
const MOST = 50;

/** In the language that the user reads best; undefined where there is no name. */
export async function readLabel(repository: string, iri: string, at: string | undefined): Promise<string | undefined> {
  const pattern = `<${iri}> ?predicate ?label`;
  const query = `SELECT ?label { VALUES ?predicate { ${PREDICATES.map((each) => `<${each}>`).join(' ')} }
  { ${pattern} } UNION { GRAPH ?graph { ${pattern} } } } LIMIT ${String(MOST)}`;
  const labels = new Map<string, string>();
  for (const { label } of await select(repository, query, at)) {
    const language = languageOf(label!['xml:lang']);
    if (!labels.has(language)) labels.set(language, label!.value);
  }
  const language = preferredLanguage(labels, navigator.languages);
  return language === undefined ? undefined : labels.get(language);
}

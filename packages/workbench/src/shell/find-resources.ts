/** Finds resources by their names and IRIs. */
import { getTerms } from '../api/schema.js';

import { ask, type Binding } from '../api/sparql.js';
import { findWords } from './find-words.js';
import { shortName } from '../rows/term.js';

export interface FoundResource {
  readonly iri: string;
  readonly name: string;
  /** Statements that it stands in, at one position; undefined for those that were not counted. */
  readonly count?: number;
}

export interface FindRequest {
  readonly repository: string;
  readonly text: string;
  readonly at: string | undefined;
  readonly namespaces: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Whether all statements may be read for it. Without, the index of words tells, where there is one. */
  readonly mayScan: boolean;
}

/** They fit below the field without scrolling. */
const MOST_FOUND = 8;
/** Each part of a search ends after so many seconds: a list of what was found by then is better than none. */
const LONGEST_SECONDS = 5;
const POSITIONS = ['subject', 'object', 'predicate'] as const;
const LABELS = ['rdfs:label', 'skos:prefLabel', 'schema:name', 'foaf:name', 'dcterms:title'];

/**
 * Resources whose IRI, its last part, its prefixed name, or whose label begins with the text, labels that contain it after them. An IRI is found even if
 * the repository does not know it. Each part that fails is left out.
 * @throws AbortError on the signal
 */
export async function findResources(request: FindRequest): Promise<FoundResource[]> {
  const { text, namespaces, signal } = request;
  const [labelled, counted] = await Promise.all(
    request.mayScan ? [byLabel(request).catch(() => []), byIri(request)] : [byWords(request).catch(() => []), []],
  );
  signal.throwIfAborted();
  const found = new Map<string, FoundResource>();
  const named = typedIri(text, namespaces);
  if (named !== undefined) found.set(named, { iri: named, name: shortName({ kind: 'iri', value: named }, namespaces) });
  const begins = ({ name }: FoundResource): boolean => name.toLowerCase().startsWith(text.toLowerCase());
  const ordered = [...labelled.filter(begins), ...counted, ...labelled];
  for (const each of ordered) if (!found.has(each.iri)) found.set(each.iri, each);
  return [...found.values()].slice(0, MOST_FOUND);
}

/** What the user typed, where it is an IRI or a prefixed name. */
function typedIri(text: string, namespaces: Readonly<Record<string, string>>): string | undefined {
  const [, prefix = '', rest = ''] = /^([\w-]*):([\w-][\w.-]*)$/.exec(text) ?? [];
  const namespace = namespaces[prefix];
  if (namespace !== undefined && rest !== '') return `${namespace}${rest}`;
  return /^<?([a-z][a-z0-9+.-]*:(?:\/\/|[^\s<>"{}|\\^`]*:)[^\s<>"{}|\\^`]+)>?$/i.exec(text)?.[1];
}

async function byWords({ repository, text, at, signal }: FindRequest): Promise<FoundResource[]> {
  const hits = await findWords(repository, text, at, MOST_FOUND, signal);
  return hits.flatMap(({ subject, literal }) =>
    subject.type === 'uri' ? [{ iri: subject.value, name: literal.value }] : [],
  );
}

async function byIri({ repository, text: prefix, at, namespaces, signal }: FindRequest): Promise<FoundResource[]> {
  const limits = { limit: MOST_FOUND, timeout: LONGEST_SECONDS, signal };
  const lists = await Promise.all(
    POSITIONS.map((position) => getTerms({ repository, position, prefix, at, ...limits }).catch(() => [])),
  );
  const counts = new Map<string, number>();
  for (const { term, count } of lists.flat()) {
    if (!term.startsWith('<') || term.startsWith('<<')) continue;
    const iri = term.slice(1, -1);
    counts.set(iri, Math.max(count, counts.get(iri) ?? 0));
  }
  const sorted = [...counts].sort(([, a], [, b]) => b - a);
  return sorted.map(([iri, count]) => ({ iri, count, name: shortName({ kind: 'iri', value: iri }, namespaces) }));
}

async function byLabel({ repository, text, at, namespaces, signal }: FindRequest): Promise<FoundResource[]> {
  const pattern = '?resource ?property ?label';
  const prefixes = LABELS.map((label) => label.split(':')[0]!).map(
    (prefix) => `PREFIX ${prefix}: <${namespaces[prefix] ?? `urn:${prefix}:`}>`,
  );
  const query = `${prefixes.join(' ')} SELECT DISTINCT ?resource ?label {
  VALUES ?property { ${LABELS.join(' ')} }
  { ${pattern} } UNION { GRAPH ?graph { ${pattern} } }
  FILTER(ISIRI(?resource) && CONTAINS(LCASE(STR(?label)), LCASE(${JSON.stringify(text)})))
} LIMIT ${String(MOST_FOUND)}`;
  const options = { at, timeout: LONGEST_SECONDS, accept: 'application/sparql-results+json' };
  const response = await ask(repository, query, options, signal);
  const { results } = (await response.json()) as { results: { bindings: Record<'resource' | 'label', Binding>[] } };
  return results.bindings.map(({ resource, label }) => ({ iri: resource.value, name: label.value }));
}

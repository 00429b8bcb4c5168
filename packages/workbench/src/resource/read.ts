/** The quads around a resource. */
import { select } from '../api/sparql.js';
import { termOf } from '../rows/binding.js';
import { type Term, written } from '../rows/term.js';
import { isLabel, languageOf } from '../rows/labels.js';

export interface Value {
  readonly predicate: Term;
  /** The object of an outgoing quad, the subject of an incoming one. */
  readonly term: Term;
  /** Undefined for the default graph. */
  readonly graph: Term | undefined;
}

export const MOST_VALUES = 1000;

/** Whether an IRI can stand in a query as it is. */
export const isQueryable = (iri: string): boolean => iri !== '' && !/[\u0000-\u0020<>"{}|\\^`]/.test(iri);

async function read(
  repository: string,
  pattern: string,
  at: string | undefined,
  signal: AbortSignal,
): Promise<Value[]> {
  const query = `SELECT ?predicate ?term ?graph { { ${pattern} } UNION { GRAPH ?graph { ${pattern} } } } LIMIT ${String(MOST_VALUES)}`;
  const rows = await select(repository, query, at, signal);
  return rows.map(({ predicate, term, graph }) => ({
    predicate: termOf(predicate!),
    term: termOf(term!),
    graph: graph === undefined ? undefined : termOf(graph),
  }));
}

export const readOutgoing = (
  repository: string,
  iri: string,
  at: string | undefined,
  signal: AbortSignal,
): Promise<Value[]> => read(repository, `<${iri}> ?predicate ?term`, at, signal);

export const readIncoming = (
  repository: string,
  iri: string,
  at: string | undefined,
  signal: AbortSignal,
): Promise<Value[]> => read(repository, `?term ?predicate <${iri}>`, at, signal);

/** Names by language; the empty one for those without. */
export function labelsOf(values: readonly Value[]): Map<string, string> {
  const labels = new Map<string, string>();
  for (const { predicate, term } of values) {
    if (term.kind !== 'literal' || !isLabel(predicate.value)) continue;
    const language = languageOf(term.language);
    if (!labels.has(language)) labels.set(language, term.value);
  }
  return labels;
}

/** Values by predicate, in the order in which they came. */
export function byPredicate(values: readonly Value[]): [Term, Value[]][] {
  const groups = new Map<string, [Term, Value[]]>();
  for (const value of values) {
    const group = groups.get(value.predicate.value);
    if (group === undefined) groups.set(value.predicate.value, [value.predicate, [value]]);
    else group[1].push(value);
  }
  return [...groups.values()];
}

/** One text for each quad of a resource. */
export const keyOf = (predicate: Term, term: Term): string => `${written(predicate)} ${written(term)}`;

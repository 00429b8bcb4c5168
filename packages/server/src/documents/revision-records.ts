/** Revisions as JSON, CSV, text and triples. */
import type * as RDF from '@rdfjs/types';
import { iri, literal, quad, type Revision } from 'quadrille';

export interface RevisionRecord {
  readonly uuid: string;
  readonly uri: string;
  readonly ordinal: number;
  readonly datetime: string;
  readonly predecessor: string | null;
  readonly added: number;
  readonly removed: number;
  readonly size: number;
  readonly agent: string | null;
  readonly message: string | null;
  /** Of a merge: `merge`, and the revision before it and the one that was merged. */
  readonly kind?: string;
  readonly parents?: readonly string[];
  /** The revision whose changes this one repeats. */
  readonly origin?: string;
  /** How often it violates the shapes, where they report. */
  readonly violations?: number;
}

export const revisionIri = (id: string): string => `urn:quadrille:revision:${id}`;

export function revisionRecord(revision: Revision): RevisionRecord {
  const { id, number, time, parent, added, removed, size, author, message, kind, parents, origin, violations } =
    revision;
  return {
    uuid: id,
    uri: revisionIri(id),
    ordinal: number,
    datetime: time.toISOString(),
    predecessor: parent ?? null,
    added,
    removed,
    size,
    agent: author ?? null,
    message: message ?? null,
    ...(kind !== 'commit' && { kind, parents }),
    ...(origin !== undefined && { origin }),
    ...(violations !== undefined && { violations }),
  };
}

/** A revision in the graph of all branches. */
export interface GraphRecord extends RevisionRecord {
  /** First the one before it; of a merge, then the one that was merged. */
  readonly parents: readonly string[];
  readonly kind: Revision['kind'];
  /** The branch that has made it; null if that was deleted. */
  readonly branch: string | null;
}

export async function* graphAsJson(revisions: AsyncIterable<Revision>): AsyncGenerator<GraphRecord> {
  for await (const revision of revisions) {
    const { parents, kind, branch = null } = revision;
    yield { ...revisionRecord(revision), parents, kind, branch };
  }
}

const COLUMNS = ['uuid', 'ordinal', 'datetime', 'predecessor', 'added', 'removed', 'agent', 'message'] as const;

export async function* revisionsAsCsv(revisions: AsyncIterable<Revision>): AsyncGenerator<string> {
  yield `${COLUMNS.join(',')}\r\n`;
  for await (const revision of revisions) {
    const record = revisionRecord(revision);
    yield `${COLUMNS.map((column) => csvCell(record[column])).join(',')}\r\n`;
  }
}

function csvCell(value: string | number | null): string {
  const text = value === null ? '' : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** One UUID a line. */
export async function* revisionsAsText(revisions: AsyncIterable<Revision>): AsyncGenerator<string> {
  for await (const { id } of revisions) yield `${id}\n`;
}

export async function* revisionsAsJson(revisions: AsyncIterable<Revision>): AsyncGenerator<RevisionRecord> {
  for await (const revision of revisions) yield revisionRecord(revision);
}

// ── Triples ───────────────────────────────────────────────────────────────────────────────────────────────────────

const XSD = 'http://www.w3.org/2001/XMLSchema#';
const TB = 'http://www.mementoweb.org/terms/tb/';
const QUADRILLE = 'urn:quadrille:';
const RDF_TYPE = iri('http://www.w3.org/1999/02/22-rdf-syntax-ns#type');
const REVISION = iri(`${QUADRILLE}Revision`);
const START = iri(`${TB}start`);
const CREATED = iri('http://purl.org/dc/terms/created');
const REVISION_OF = iri('http://www.w3.org/ns/prov#wasRevisionOf');
const [ORDINAL, ADDED, REMOVED, MESSAGE, AGENT] = ['ordinal', 'added', 'removed', 'message', 'agent'].map((name) =>
  iri(QUADRILLE + name),
) as [RDF.NamedNode, RDF.NamedNode, RDF.NamedNode, RDF.NamedNode, RDF.NamedNode];

export const dateTime = (time: Date): RDF.Literal => literal(time.toISOString(), iri(`${XSD}dateTime`));
export const integer = (value: number): RDF.Literal => literal(String(value), iri(`${XSD}integer`));

/** A revision as triples about its IRI. */
export function* revisionTriples(revision: Revision): Generator<RDF.Quad> {
  const { id, number, time, parent, added, removed, author, message } = revision;
  const subject = iri(revisionIri(id));
  yield quad(subject, RDF_TYPE, REVISION);
  yield quad(subject, START, dateTime(time));
  yield quad(subject, CREATED, dateTime(time));
  if (parent !== undefined) yield quad(subject, REVISION_OF, iri(revisionIri(parent)));
  yield quad(subject, ORDINAL, integer(number));
  yield quad(subject, ADDED, integer(added));
  yield quad(subject, REMOVED, integer(removed));
  if (message !== undefined) yield quad(subject, MESSAGE, literal(message));
  if (author !== undefined) yield quad(subject, AGENT, literal(author));
}

export async function* triplesOfRevisions(revisions: AsyncIterable<Revision>): AsyncGenerator<RDF.Quad> {
  for await (const revision of revisions) yield* revisionTriples(revision);
}

/** The timemap of a repository: its mementos as triples, as link-format (RFC 7089, section 5) and as JSON. */
import type * as RDF from '@rdfjs/types';
import { iri, quad, type Repository, type Revision } from 'quadrille';
import { type MementoUrls, withParameters } from '../resources/memento/memento.js';
import { type RevisionRange, revisionsOf } from '../parameters/revision-range.js';
import { dateTime, revisionIri, type RevisionRecord, revisionRecord, revisionTriples } from './revision-records.js';

/** A revision and the time of the next one. */
interface Memento {
  readonly revision: Revision;
  readonly end: Date | undefined;
}

/** Oldest first. `present` is taken as the head. */
async function* mementosOf(repository: Repository, range: RevisionRange, present?: Revision): AsyncGenerator<Memento> {
  const head = (present ?? (await repository.revision())).number;
  let revision: Revision | undefined;
  for await (const next of revisionsOf(repository, range)) {
    if (revision !== undefined) yield { revision, end: next.time };
    revision = next;
  }
  if (revision === undefined) return;
  const following = revision.number < head ? await repository.at(revision.number + 1).revision() : undefined;
  yield { revision, end: following?.time };
}

const ORE = 'http://www.openarchives.org/ore/terms/';
const TB = 'http://www.mementoweb.org/terms/tb/';
const DCTERMS = 'http://purl.org/dc/terms/';
/** The prefixes of the triples. */
export const TIMEMAP_PREFIXES: Readonly<Record<string, string>> = {
  ore: ORE,
  tb: TB,
  dcterms: DCTERMS,
  prov: 'http://www.w3.org/ns/prov#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
};

const TYPE = iri('http://www.w3.org/1999/02/22-rdf-syntax-ns#type');
const ore = (name: string): RDF.NamedNode => iri(ORE + name);
const tb = (name: string): RDF.NamedNode => iri(TB + name);
const IS_VERSION_OF = iri(`${DCTERMS}isVersionOf`);

export async function* timemapTriples(
  repository: Repository,
  range: RevisionRange,
  urls: MementoUrls,
  present?: Revision,
): AsyncGenerator<RDF.Quad> {
  const [original, timemap, timegate] = [iri(urls.original), iri(urls.timemap), iri(urls.timegate)];
  const bundle = iri(`${urls.timemap}#bundle`);
  yield quad(timemap, TYPE, ore('ResourceMap'));
  yield quad(timemap, TYPE, tb('TimeMap'));
  yield quad(timemap, ore('describes'), bundle);
  yield quad(bundle, TYPE, tb('TimeBundle'));
  yield quad(bundle, ore('aggregates'), original);
  yield quad(bundle, ore('aggregates'), timegate);
  yield quad(timegate, TYPE, tb('TimeGate'));
  yield quad(timegate, tb('timeGateFor'), original);
  for await (const { revision, end } of mementosOf(repository, range, present)) {
    const memento = iri(urls.of(revision));
    const period = iri(`${urls.timemap}#period-${revision.id}`);
    yield quad(bundle, ore('aggregates'), memento);
    yield quad(memento, TYPE, tb('Memento'));
    yield quad(memento, tb('mementoFor'), original);
    yield quad(memento, tb('validOver'), period);
    yield quad(period, TYPE, tb('Period'));
    yield quad(period, tb('start'), dateTime(revision.time));
    if (end !== undefined) yield quad(period, tb('end'), dateTime(end));
    yield quad(memento, IS_VERSION_OF, iri(revisionIri(revision.id)));
    yield* revisionTriples(revision);
  }
}

/** One link a line. A page of the timemap also links to the previous page. */
export async function* timemapLinks(
  repository: Repository,
  range: RevisionRange,
  urls: MementoUrls,
): AsyncGenerator<string> {
  const [tail, head] = await Promise.all([repository.at('TAIL').revision(), repository.revision()]);
  yield `<${urls.original}>; rel="original",\n`;
  yield `<${urls.timegate}>; rel="timegate",\n`;
  const { first, last } = range;
  yield `<${urls.linkTimemap}>; rel="self"; type="application/link-format"`;
  if (first <= last) {
    const [from, until] = [await repository.at(first).revision(), await repository.at(last).revision()];
    yield `; from="${from.time.toUTCString()}"; until="${until.time.toUTCString()}"`;
    if (first > tail.number) yield `,\n<${previousPage(urls.linkTimemap, range)}>; rel="timemap prev"; ${LINK_TYPE}`;
  }
  for await (const revision of revisionsOf(repository, range)) {
    const names = [revision.number === tail.number ? 'first ' : '', revision.number === head.number ? 'last ' : ''];
    yield `,\n<${urls.of(revision)}>; rel="${names.join('')}memento"; datetime="${revision.time.toUTCString()}"`;
  }
  yield '\n';
}

const LINK_TYPE = 'type="application/link-format"';

/** The address of the previous page of the same length. */
export const previousPage = (timemap: string, { first, last }: RevisionRange): string =>
  withParameters(timemap, `before=${String(first)}&limit=${String(last - first + 1)}`);

export interface MementoRecord extends RevisionRecord {
  readonly memento: string;
  readonly end: string | null;
}

export async function* timemapRecords(
  repository: Repository,
  range: RevisionRange,
  urls: MementoUrls,
): AsyncGenerator<MementoRecord> {
  for await (const { revision, end } of mementosOf(repository, range)) {
    yield { memento: urls.of(revision), ...revisionRecord(revision), end: end?.toISOString() ?? null };
  }
}

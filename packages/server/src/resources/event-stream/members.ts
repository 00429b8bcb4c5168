/**
 * The members of an event stream: for each revision one for each subject that it has changed, with all statements about the subject
 * afterwards, in a graph that the member names. Statements in several graphs are told once. Blank nodes are IRIs, the same in all members.
 */
import type * as RDF from '@rdfjs/types';
import { defaultGraph, iri, quad, type Repository, type Revision } from 'quadrille';
import { revisionIri } from '../../documents/revision-records.js';
import {
  AS,
  FINAL,
  FINALIZED,
  memberLink,
  pageIri,
  PROV,
  QUADRILLE,
  RDF_TYPE,
  type StreamAddress,
  timeLiteral,
} from './stream-controls.js';

export async function* members(
  address: StreamAddress,
  repository: Repository,
  revision: Revision,
  signal: AbortSignal,
): AsyncGenerator<RDF.Quad> {
  // One subject is held back, so that the last one of the revision is known.
  let waiting: RDF.Quad_Subject | undefined;
  for await (const subject of changedSubjects(repository, revision, signal)) {
    if (waiting !== undefined) yield* member(address, repository, revision, waiting, false, signal);
    waiting = subject;
  }
  if (waiting !== undefined) yield* member(address, repository, revision, waiting, true, signal);
}

/** A difference is sorted by quad, so the changes of a subject follow each other. */
async function* changedSubjects(
  repository: Repository,
  { number, parent }: Revision,
  signal: AbortSignal,
): AsyncGenerator<RDF.Quad_Subject> {
  let last: RDF.Quad_Subject | undefined;
  // The first revision that a trim has kept has all its quads for changes.
  const changes =
    parent === undefined ? quadsOf(repository, number, signal) : repository.diff(parent, number, {}, { signal });
  for await (const { quad: changed } of changes) {
    if (last?.equals(changed.subject) === true) continue;
    last = changed.subject;
    yield last;
  }
}

async function* quadsOf(
  repository: Repository,
  number: number,
  signal: AbortSignal,
): AsyncGenerator<{ readonly quad: RDF.Quad }> {
  for await (const quad of repository.at(number).quads({}, { signal })) yield { quad };
}

async function* member(
  address: StreamAddress,
  repository: Repository,
  { id, number, time, parent }: Revision,
  subject: RDF.Quad_Subject,
  isLast: boolean,
  signal: AbortSignal,
): AsyncGenerator<RDF.Quad> {
  const about = asIri(subject);
  const name = iri(`${pageIri(address).value}#${id}/${encodeURIComponent(about.value)}`);
  const wasThere =
    parent !== undefined && (await repository.at(parent).quads({ subject }, { signal }).first()) !== undefined;
  let isThere = false;
  let previous: RDF.Quad | undefined;
  for await (const { subject: _, predicate, object } of repository.at(number).quads({ subject }, { signal })) {
    isThere = true;
    const told = quad(about, predicate, object.termType === 'BlankNode' ? asIri(object) : object, name);
    if (previous?.equals(told) === true) continue;
    previous = told;
    yield told;
  }
  const kind = isThere ? (wasThere ? 'Update' : 'Create') : 'Delete';
  const say = (predicate: string, object: RDF.Quad_Object): RDF.Quad =>
    quad(name, iri(predicate), object, defaultGraph());
  yield memberLink(address, name);
  yield say(RDF_TYPE, iri(`${AS}${kind}`));
  yield say(`${AS}object`, about);
  yield say(`${AS}published`, timeLiteral(time));
  yield say(`${PROV}wasGeneratedBy`, iri(revisionIri(id)));
  if (isLast) yield say(FINALIZED, FINAL);
}

/** Blank nodes get the IRI of their label. */
const asIri = (term: RDF.Quad_Subject): RDF.NamedNode =>
  term.termType === 'NamedNode' ? term : iri(`${QUADRILLE}node:${encodeURIComponent(term.value)}`);

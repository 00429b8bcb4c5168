/** Quads and terms of a snapshot as batches. */
import type * as RDF from '@rdfjs/types';
import type { QuadReader, Snapshot, TermPattern } from '@quadrille/core';
import { InvalidArgumentError } from '@quadrille/model';
import type { QuadPattern } from '../api/index.js';
import type { BatchSource } from './results.js';

const MEMBERS = ['subject', 'predicate', 'object', 'graph'];
const KNOWN = new Set([...MEMBERS, 'termType', 'value']);

/** @throws InvalidArgumentError `INVALID_PATTERN` */
export function checkPattern(pattern: QuadPattern): void {
  if (typeof pattern !== 'object' || pattern === null) {
    throw new InvalidArgumentError(
      'INVALID_PATTERN',
      `a pattern is an object with ${MEMBERS.join(', ')}, not ${String(pattern)}`,
    );
  }
  checkTerms(pattern);
  for (const member in pattern) {
    // A quad is a pattern of all its four terms; its own members beside them are no mistake.
    if (KNOWN.has(member) || !Object.hasOwn(pattern, member)) continue;
    throw new InvalidArgumentError(
      'INVALID_PATTERN',
      `a pattern has no member ${JSON.stringify(member)} (it has ${MEMBERS.join(', ')})`,
    );
  }
}

/** @throws InvalidArgumentError `INVALID_PATTERN` */
export function checkTerms(pattern: QuadPattern): void {
  checkMember(pattern, 'subject');
  checkMember(pattern, 'predicate');
  checkMember(pattern, 'object');
  checkMember(pattern, 'graph');
}

function checkMember(pattern: QuadPattern, member: keyof QuadPattern): void {
  const term = pattern[member];
  if (term === null || term === undefined || typeof term.termType === 'string') return;
  throw new InvalidArgumentError(
    'INVALID_PATTERN',
    `the ${member} of a pattern must be an RDF/JS term, not ${String(term)}`,
  );
}

/** Variables match anything, as RDF/JS has it. */
export function bound(pattern: TermPattern): TermPattern {
  return {
    subject: boundTerm(pattern.subject),
    predicate: boundTerm(pattern.predicate),
    object: boundTerm(pattern.object),
    graph: boundTerm(pattern.graph),
  };
}

const boundTerm = (term: RDF.Term | null | undefined): RDF.Term | undefined =>
  term && term.termType !== 'Variable' ? term : undefined;

export function quadBatches(snapshot: Snapshot, pattern: TermPattern): BatchSource<RDF.Quad> {
  let reader: QuadReader | undefined;
  let opened = false;
  const wanted = bound(pattern);
  const open = (ids: Awaited<ReturnType<Snapshot['ids']>>): ReturnType<BatchSource<RDF.Quad>['next']> => {
    opened = true;
    if (ids === undefined) return undefined;
    reader = snapshot.read(ids);
    return reader.next();
  };
  return {
    next() {
      if (opened) return reader?.next();
      const ids = snapshot.tryIds(wanted);
      return typeof ids === 'number' ? snapshot.ids(wanted).then(open) : open(ids);
    },
    close: () => reader?.close(),
  };
}

/** Terms of ids that come one by one. */
export function termBatches(snapshot: Snapshot, ids: AsyncGenerator<number>): BatchSource<RDF.Term> {
  return {
    async next() {
      const { value, done } = await ids.next();
      return done ? undefined : [await snapshot.timeline.decoder.decode(value)];
    },
    async close() {
      await ids.return(undefined);
    },
  };
}

/** Quads and terms of a snapshot as batches. */
import type * as RDF from '@rdfjs/types';
import type { QuadReader, Snapshot, TermPattern } from '@quadrille/core';
import { InvalidArgumentError } from '@quadrille/model';
import type { QuadPattern } from '../api/index.js';
import type { BatchSource } from './results.js';

const MEMBERS = ['subject', 'predicate', 'object', 'graph'];

/** @throws InvalidArgumentError `INVALID_PATTERN` */
export function checkPattern(pattern: QuadPattern): void {
  if (typeof pattern !== 'object' || pattern === null) {
    throw new InvalidArgumentError(
      'INVALID_PATTERN',
      `a pattern is an object with ${MEMBERS.join(', ')}, not ${String(pattern)}`,
    );
  }
  checkTerms(pattern);
  // A quad is a pattern of all its four terms; its own members beside them are no mistake.
  if ((pattern as Partial<RDF.BaseQuad>).termType === 'Quad') return;
  for (const member in pattern) {
    if (isKnown(member) || !Object.hasOwn(pattern, member)) continue;
    throw new InvalidArgumentError(
      'INVALID_PATTERN',
      `a pattern has no member ${JSON.stringify(member)} (it has ${MEMBERS.join(', ')})`,
    );
  }
}

function isKnown(member: string): boolean {
  switch (member) {
    case 'subject':
    case 'predicate':
    case 'object':
    case 'graph':
      return true;
    default:
      return false;
  }
}

/** @throws InvalidArgumentError `INVALID_PATTERN` */
export function checkTerms({ subject, predicate, object, graph }: QuadPattern): void {
  checkMember('subject', subject);
  checkMember('predicate', predicate);
  checkMember('object', object);
  checkMember('graph', graph);
}

function checkMember(member: string, term: RDF.Term | null | undefined): void {
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

/** The matching quads of a snapshot, which is closed with them. */
export class QuadBatches implements BatchSource<RDF.Quad> {
  #reader: QuadReader | undefined;
  #isOpen = false;

  constructor(
    private readonly snapshot: Snapshot,
    private readonly pattern: TermPattern,
  ) {}

  next(): ReturnType<BatchSource<RDF.Quad>['next']> {
    if (this.#isOpen) return this.#reader?.next();
    const { snapshot } = this;
    const wanted = bound(this.pattern);
    const ids = snapshot.tryIds(wanted);
    return typeof ids === 'number' ? snapshot.ids(wanted).then((known) => this.#open(known)) : this.#open(ids);
  }

  #open(ids: Awaited<ReturnType<Snapshot['ids']>>): ReturnType<BatchSource<RDF.Quad>['next']> {
    this.#isOpen = true;
    if (ids === undefined) return undefined;
    this.#reader = this.snapshot.read(ids);
    return this.#reader.next();
  }

  close(): void {
    this.#reader?.close();
    this.snapshot.close();
  }
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

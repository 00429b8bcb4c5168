/** Reads quads from callers: one or many, from arrays or streams. They are processed in batches with a turn for the event loop between them. */
import type * as RDF from '@rdfjs/types';
import { InvalidArgumentError, paced } from '@quadrille/model';
import type { QuadPattern } from '../api/index.js';

export type QuadInput = RDF.Quad | Iterable<RDF.Quad> | AsyncIterable<RDF.Quad>;

/** One quad, or many, as an iterable. */
export function quadsOf(input: QuadInput): Iterable<RDF.Quad> | AsyncIterable<RDF.Quad> {
  if (typeof input === 'object' && input !== null) {
    if (Symbol.iterator in input || Symbol.asyncIterator in input) return input;
    if ('subject' in input) return [input];
  }
  throw new InvalidArgumentError('INVALID_TERM', `quads are a quad or an iterable of quads, not ${String(input)}`);
}

/** @throws InvalidArgumentError `INVALID_TERM` for a value that is not a quad. The engine checks the terms of a quad. */
export function checkIsQuad(candidate: unknown): void {
  const { subject, predicate, object, graph } = (candidate ?? {}) as Partial<Record<string, unknown>>;
  if (subject && predicate && object && graph) return;
  throw new InvalidArgumentError('INVALID_TERM', `not a quad: ${String(candidate)}`);
}

/** Whether the argument of a removal is a set of quads. Otherwise it is a pattern. */
export function isQuads(input: unknown): input is QuadInput {
  if (typeof input !== 'object' || input === null) return false;
  if (Symbol.iterator in input || Symbol.asyncIterator in input) return true;
  return (
    ['subject', 'predicate', 'object', 'graph'].every((member) =>
      Boolean((input as Record<string, unknown>)[member]),
    ) && 'equals' in input
  );
}

/** A copy of a pattern without null members. */
export function asPattern(pattern: QuadPattern): {
  subject?: RDF.Term;
  predicate?: RDF.Term;
  object?: RDF.Term;
  graph?: RDF.Term;
} {
  const bound: Record<string, RDF.Term> = {};
  for (const member of ['subject', 'predicate', 'object', 'graph'] as const) {
    const term = pattern[member];
    if (term && term.termType !== 'Variable') bound[member] = term;
  }
  return bound;
}

/** Largest number of quads in a batch. */
const BATCH_QUADS = 256;
/** Size of the terms of a batch in UTF-16 units. Checking and encoding them takes about 1 ms. */
const BATCH_LENGTH = 64 * 1024;

/** Groups quads into batches of about 1 ms of work. Checks that each value is a quad; its terms are not checked. */
export async function* quadBatches(
  input: Iterable<RDF.Quad> | AsyncIterable<RDF.Quad>,
): AsyncGenerator<readonly RDF.Quad[]> {
  const batch = new Batch();
  // Awaiting a promise costs more than processing a quad, so only asynchronous sources have one for each quad.
  if (Symbol.iterator in input) {
    for (const quad of input) if (batch.add(quad)) yield batch.take();
  } else {
    for await (const quad of input) if (batch.add(quad)) yield batch.take();
  }
  yield batch.take();
}

/** Passes quads on in batches, with a turn for the event loop between them. */
export async function inBatches(
  input: Iterable<RDF.Quad> | AsyncIterable<RDF.Quad>,
  use: (batch: readonly RDF.Quad[]) => void | Promise<void>,
): Promise<void> {
  for await (const batch of paced(quadBatches(input))) await use(batch);
}

/** Whether quads are few and short enough to be checked, encoded and committed in one stretch. */
export function areFew(input: Iterable<RDF.Quad> | AsyncIterable<RDF.Quad>, most: number): input is RDF.Quad[] {
  if (!Array.isArray(input) || input.length > most) return false;
  let length = 0;
  for (const quad of input as RDF.Quad[]) {
    checkIsQuad(quad);
    length += quadLength(quad);
  }
  return length <= BATCH_LENGTH * 16;
}

class Batch {
  #quads: RDF.Quad[] = [];
  #length = 0;

  /** True when the batch is full. */
  add(quad: RDF.Quad): boolean {
    checkIsQuad(quad);
    this.#quads.push(quad);
    this.#length += quadLength(quad);
    return this.#quads.length >= BATCH_QUADS || this.#length >= BATCH_LENGTH;
  }

  take(): readonly RDF.Quad[] {
    const quads = this.#quads;
    this.#quads = [];
    this.#length = 0;
    return quads;
  }
}

/** Number of UTF-16 units of the texts of a quad. The value is not checked, so its members may have any type. */
export function quadLength(quad: RDF.BaseQuad | undefined | null): number {
  const { subject, predicate, object, graph } = quad ?? ({} as Partial<RDF.BaseQuad>);
  return termLength(subject) + termLength(predicate) + termLength(object) + termLength(graph);
}

// The terms are not checked yet, so the value may have any type.
function termLength(term: RDF.Term | undefined): number {
  if (term?.termType === 'Quad') return quadLength(term);
  return typeof term?.value === 'string' ? term.value.length : 0;
}

/**
 * The content hash: LtHash16 (Lewi, Kim, Maykov and Weis, "Securing Update Propagation with Homomorphic Hashing", 2019). Each quad has
 * 1,024 numbers of 16 bits, the SHAKE128 of its canonical line of N-Quads. The state is their sum, so a quad is added and taken away
 * in constant time, and the order of quads does not matter.
 */
import { termToText } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import type { Hashes } from './hashes.js';

const LANES = 1024;
const STATE_BYTES = LANES * 2;

export class ContentState {
  readonly #lanes = new Uint16Array(LANES);

  /** Of no quads, or a state that {@link bytes} has told. */
  constructor(
    private readonly hashes: Hashes,
    state?: Uint8Array,
  ) {
    if (state !== undefined) this.#lanes.set(lanesOf(state));
  }

  add(quad: RDF.Quad): void {
    const lanes = this.#hashed(quad);
    for (let i = 0; i < LANES; i++) this.#lanes[i]! += lanes[i]!;
  }

  remove(quad: RDF.Quad): void {
    const lanes = this.#hashed(quad);
    for (let i = 0; i < LANES; i++) this.#lanes[i]! -= lanes[i]!;
  }

  #hashed(quad: RDF.Quad): Uint16Array {
    return lanesOf(this.hashes.shake128(canonicalLine(quad), STATE_BYTES));
  }

  /** The state, 2,048 bytes: a copy. */
  bytes(): Uint8Array {
    return new Uint8Array(this.#lanes.buffer.slice(0));
  }

  /** The content hash, 32 bytes: SHA-256 of the state. */
  hash(): Uint8Array {
    return this.hashes.sha256(new Uint8Array(this.#lanes.buffer));
  }
}

// Numbers are little-endian, as in memory on every platform of JavaScript.
const lanesOf = (bytes: Uint8Array): Uint16Array =>
  bytes.byteOffset % 2 === 0
    ? new Uint16Array(bytes.buffer, bytes.byteOffset, LANES)
    : new Uint16Array(bytes.slice().buffer, 0, LANES);

/** The quad as a canonical line of N-Quads. Blank nodes have their labels. */
function canonicalLine({ subject, predicate, object, graph }: RDF.Quad): string {
  const triple = `${termToText(subject)} ${termToText(predicate)} ${termToText(object)}`;
  return graph.termType === 'DefaultGraph' ? `${triple} .\n` : `${triple} ${termToText(graph)} .\n`;
}

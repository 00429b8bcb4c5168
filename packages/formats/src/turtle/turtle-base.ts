/** The base IRI of a Turtle document. */
import { resolveIri } from '@quadrille/model/resolve-iri';
import { HASH, QUESTION, SLASH } from '../text/bytes.js';

const DOT = 0x2e;
const encoder = new TextEncoder();
/** A hierarchical base: its part up to the last slash of the path, and the rest. */
const DIRECTORY = /^([A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*\/(?:[^?#]*\/)?)[^/?#]*(?:\?[^#]*)?(?:#.*)?$/s;

export class TurtleBase {
  /** The base without its fragment. */
  readonly #document: Uint8Array;
  /** The base up to the last slash of its path, if a name can be appended to it without further changes. */
  readonly #directory: Uint8Array | undefined;

  constructor(readonly iri: string) {
    this.#document = encoder.encode(iri.replace(/#.*$/s, ''));
    const directory = DIRECTORY.exec(iri)?.[1];
    this.#directory = directory === undefined || /\/\.\.?\//.test(directory) ? undefined : encoder.encode(directory);
  }

  /** The prefix that makes the reference from `start` to `end` absolute, or undefined if it needs {@link resolve}. */
  startFor(bytes: Uint8Array, start: number, end: number): Uint8Array | undefined {
    const first = bytes[start];
    if (start === end || first === HASH) return this.#document;
    if (first === SLASH || first === QUESTION || first === DOT) return undefined;
    for (let at = start; at < end; at++) if (bytes[at] === SLASH && bytes[at + 1] === DOT) return undefined;
    return this.#directory;
  }

  /** Resolves a reference (RFC 3986, section 5.2). */
  resolve(reference: string): string {
    return resolveIri(reference, this.iri);
  }
}

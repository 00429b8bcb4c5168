/** What relative IRIs of a Turtle document resolve against. */
import { HASH, QUESTION, SLASH } from '../text/bytes.js';
import { resolveIri } from '../text/resolve-iri.js';

const DOT = 0x2e;
const encoder = new TextEncoder();
/** A base that is a directory, up to its last slash, and what stands behind that. */
const DIRECTORY = /^([A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*\/(?:[^?#]*\/)?)[^/?#]*(?:\?[^#]*)?(?:#.*)?$/s;

export class TurtleBase {
  /** The base without its fragment. */
  readonly #document: Uint8Array;
  /** The base up to the last slash of its path, where a name can be put behind it as it is. */
  readonly #directory: Uint8Array | undefined;

  constructor(readonly iri: string) {
    this.#document = encoder.encode(iri.replace(/#.*$/s, ''));
    const directory = DIRECTORY.exec(iri)?.[1];
    this.#directory = directory === undefined || /\/\.\.?\//.test(directory) ? undefined : encoder.encode(directory);
  }

  /** What is to be put before a reference that stands from `start` to `end`; undefined where it takes {@link resolve}. */
  startFor(bytes: Uint8Array, start: number, end: number): Uint8Array | undefined {
    const first = bytes[start];
    if (start === end || first === HASH) return this.#document;
    if (first === SLASH || first === QUESTION || first === DOT) return undefined;
    for (let at = start; at < end; at++) if (bytes[at] === SLASH && bytes[at + 1] === DOT) return undefined;
    return this.#directory;
  }

  /** The IRI that a reference means, by RFC 3986, section 5.2. */
  resolve(reference: string): string {
    return resolveIri(reference, this.iri);
  }
}

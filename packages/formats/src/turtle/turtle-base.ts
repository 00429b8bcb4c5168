/** The base IRI of a Turtle document. */
import { resolveIri } from '@quadrille/model/resolve-iri';
import { HASH, QUESTION, SLASH } from '../text/bytes.js';

const DOT = 0x2e;
const encoder = new TextEncoder();
/** A hierarchical base: its part up to the last slash of the path, and the rest. */
const DIRECTORY = /^([A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*\/(?:[^?#]*\/)?)[^/?#]*(?:\?[^#]*)?(?:#.*)?$/s;

interface BaseParts {
  /** The base without its fragment. */
  readonly document: Uint8Array;
  /** The base up to the last slash of its path, if a name can be appended to it without further changes. */
  readonly directory: Uint8Array | undefined;
}

function partsOf(iri: string): BaseParts {
  const [, directory] = DIRECTORY.exec(iri) ?? [];
  const isPlain = directory !== undefined && !/\/\.\.?\//.test(directory);
  return {
    document: encoder.encode(iri.replace(/#.*$/s, '')),
    directory: isPlain ? encoder.encode(directory) : undefined,
  };
}

export class TurtleBase {
  #parts: BaseParts | undefined;

  constructor(readonly iri: string) {}

  /** The prefix that makes the reference from `start` to `end` absolute, or undefined if it needs {@link resolve}. */
  startFor(bytes: Uint8Array, start: number, end: number): Uint8Array | undefined {
    const first = bytes[start];
    // Many documents have a base that they do not use.
    const { document, directory } = (this.#parts ??= partsOf(this.iri));
    if (start === end || first === HASH) return document;
    if (first === SLASH || first === QUESTION || first === DOT) return undefined;
    for (let at = start; at < end; at++) if (bytes[at] === SLASH && bytes[at + 1] === DOT) return undefined;
    return directory;
  }

  /** Resolves a reference (RFC 3986, section 5.2). */
  resolve(reference: string): string {
    return resolveIri(reference, this.iri);
  }
}

/** Prefixed names for the serialiser: checks prefixes and shortens IRIs. */
import { InvalidArgumentError, isAbsoluteIri } from '@quadrille/model';
import { isLabelCodePoint } from '../text/utf8.js';

// PN_LOCAL in ASCII without escapes. Other names are written as full IRIs, which is always legal.
const LOCAL_NAME = /^(?:[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_-])?)?$/;
const MAX_CACHED_NAMES = 16_384;

/** Shortens IRIs. Caches the results, because most IRIs recur. */
export class PrefixedNames {
  /** Pairs of name and namespace. The longest namespace is first. */
  readonly #prefixes: readonly (readonly [string, string])[];
  readonly #texts = new Map<string, string>();

  /** @throws InvalidArgumentError `INVALID_OPTION` for a name or an IRI that Turtle cannot declare. */
  constructor(prefixes: Readonly<Record<string, string>>) {
    const entries = Object.entries(prefixes);
    for (const [name, iri] of entries) checkPrefix(name, iri);
    this.#prefixes = entries.sort(([, a], [, b]) => b.length - a.length);
  }

  /** The declarations and an empty line, or an empty text if there are none. */
  get head(): string {
    if (this.#prefixes.length === 0) return '';
    const lines = this.#prefixes.map(([name, iri]) => `@prefix ${name}: <${iri}> .\n`);
    return `${lines.sort().join('')}\n`;
  }

  /** The text of an IRI: `name:local` or `<iri>`. */
  textOf(iri: string): string {
    let text = this.#texts.get(iri);
    if (text === undefined) {
      text = this.#shorten(iri);
      if (this.#texts.size >= MAX_CACHED_NAMES) this.#texts.clear();
      this.#texts.set(iri, text);
    }
    return text;
  }

  #shorten(iri: string): string {
    for (const [name, namespace] of this.#prefixes) {
      if (iri.startsWith(namespace) && LOCAL_NAME.test(iri.slice(namespace.length))) {
        return `${name}:${iri.slice(namespace.length)}`;
      }
    }
    return `<${iri}>`;
  }
}

function checkPrefix(name: string, iri: string): void {
  const shown = JSON.stringify(name.slice(0, 100));
  if (!isPrefixName(name)) throw new InvalidArgumentError('INVALID_OPTION', `not a prefix name: ${shown}`);
  if (!isAbsoluteIri(iri)) {
    throw new InvalidArgumentError('INVALID_OPTION', `the prefix ${shown} does not stand for an absolute IRI`);
  }
}

/** PN_PREFIX of Turtle, or the empty prefix. */
function isPrefixName(name: string): boolean {
  const chars = [...name];
  return !name.endsWith('.') && chars.every((char, index) => isPrefixChar(char, index === 0));
}

function isPrefixChar(char: string, first: boolean): boolean {
  const code = char.codePointAt(0) ?? 0;
  if (code >= 0x80) return isLabelCodePoint(code, first);
  return first ? /[A-Za-z]/.test(char) : /[A-Za-z0-9_.-]/.test(char);
}

/** Reads the directives of Turtle: prefixes, bases and versions, in both spellings. */
import { TermFault } from '../terms/term-fault.js';
import { APOSTROPHE, AT, DOT, LESS, QUOTE } from '../text/bytes.js';
import { A_STATEMENT, BASE_IRI, END_OF_DIRECTIVE, PREFIX, PREFIX_IRI, VERSION } from './turtle-frames.js';
import type { TurtleIris } from './turtle-iris.js';
import type { TurtleLiterals } from './turtle-literals.js';
import type { TurtleText } from './turtle-text.js';

/** The keywords, and the token that each one expects. */
const KEYWORDS = [
  ['prefix', PREFIX],
  ['base', BASE_IRI],
  ['version', VERSION],
] as const;

export interface DirectiveListener {
  /** Called when names or relative IRIs have another meaning from here on. */
  namesChanged(): void;
  /** Called for a prefix; its name has no colon. */
  prefixDeclared(name: Uint8Array, namespace: Uint8Array): void;
}

export class TurtleDirectives {
  /** The prefix that is being declared. */
  #name: Uint8Array = new Uint8Array(0);
  #needsDot = false;

  constructor(
    private readonly text: TurtleText,
    private readonly iris: TurtleIris,
    private readonly literals: TurtleLiterals,
    private readonly maxPrefixes: number,
    private readonly listener: DirectiveListener,
  ) {}

  /** Reads the keyword of a directive. Returns the expected next token, or 0 if there is no directive. */
  start(byte: number): number {
    const { text } = this;
    this.#needsDot = byte === AT;
    const { at } = text;
    for (const [word, expects] of KEYWORDS) {
      if (this.#needsDot ? text.isAtWord(at + 1, word) : text.isWord(at, word, true)) {
        text.at += word.length + (this.#needsDot ? 1 : 0);
        return expects;
      }
    }
    if (this.#needsDot) throw text.unexpected(text.at, '"@prefix", "@base" or "@version"');
    return A_STATEMENT;
  }

  /** Reads a part of a directive. Returns the expected next token, or undefined if the part is not the expected one. */
  read(expects: number, byte: number): number | undefined {
    const { text } = this;
    switch (expects) {
      case PREFIX:
        return this.#prefix() ? PREFIX_IRI : undefined;
      case PREFIX_IRI:
        if (byte !== LESS) return undefined;
        this.#declare(this.#iri());
        return this.#end();
      case BASE_IRI:
        if (byte !== LESS) return undefined;
        this.iris.setBase(new TextDecoder().decode(this.#iri()));
        this.listener.namesChanged();
        return this.#end();
      case VERSION:
        if (byte !== QUOTE && byte !== APOSTROPHE) return undefined;
        this.literals.skipString(byte);
        return this.#end();
      default:
        if (byte !== DOT) return undefined;
        text.at++;
        return A_STATEMENT;
    }
  }

  #end(): number {
    return this.#needsDot ? END_OF_DIRECTIVE : A_STATEMENT;
  }

  #iri(): Uint8Array {
    const { iris } = this;
    iris.reference();
    return iris.bytes.slice(iris.start + 1, iris.end - 1);
  }

  #prefix(): boolean {
    const { prefixes } = this.iris;
    const { at } = this.text;
    const name = this.iris.prefix();
    if (name === undefined) return false;
    this.#name = name;
    if (prefixes.size >= this.maxPrefixes && prefixes.find(name, 0, name.length) === undefined) {
      throw new TermFault(at, `more than ${this.maxPrefixes} prefixes`);
    }
    return true;
  }

  #declare(namespace: Uint8Array): void {
    if (this.iris.prefixes.declare(this.#name, namespace)) this.listener.namesChanged();
    this.listener.prefixDeclared(this.#name, namespace);
  }
}

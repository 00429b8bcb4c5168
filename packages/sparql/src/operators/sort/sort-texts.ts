/**
 * Texts of IRIs and strings for sorting. Typed arrays hold the beginnings of strings as numbers, so that most comparisons read no
 * text.
 */
import type { LangStringValue } from '../../expression/values/value-types.js';
import type { Value } from '../../expression/values/value.js';

const NEITHER = 0;
const IRI = 1;
const STRING = 2;
/** A string with a language, and no direction. */
const TAGGED = 3;

/** Code units that one number holds exactly. */
const UNITS = 3;
const SURROGATE = /[\uD800-\uDFFF]/;

export class SortTexts {
  readonly #kinds: Uint8Array;
  readonly #first: Float64Array;
  readonly #second: Float64Array;
  readonly #texts: (string | undefined)[] = [];
  /** In lower case; empty where there is none. */
  readonly #languages: string[] = [];

  constructor(count: number) {
    this.#kinds = new Uint8Array(count);
    this.#first = new Float64Array(count);
    this.#second = new Float64Array(count);
  }

  set(index: number, value: Value | undefined): void {
    this.#texts.push(undefined);
    this.#languages.push('');
    const kind = kindOf(value);
    if (kind === NEITHER) return;
    const { value: text } = value as TextValue;
    // JavaScript compares UTF-16 units, which is the order of code points where there are no surrogates.
    if (SURROGATE.test(text)) return;
    this.#texts[index] = text;
    this.#kinds[index] = kind;
    if (kind === TAGGED) this.#languages[index] = (value as LangStringValue).language.toLowerCase();
    // Most IRIs share their first characters, so their beginnings say nothing.
    if (kind === IRI) return;
    this.#first[index] = units(text, 0);
    this.#second[index] = units(text, UNITS);
  }

  /** Whether both are IRIs, or both strings with or without a language: only then {@link compare} says how they order. */
  areAlike(a: number, b: number): boolean {
    return this.#kinds[a] !== NEITHER && this.#kinds[a] === this.#kinds[b];
  }

  compare(a: number, b: number): number {
    const difference = this.#first[a]! - this.#first[b]! || this.#second[a]! - this.#second[b]!;
    if (difference !== 0) return difference;
    return ordered(this.#texts[a]!, this.#texts[b]!) || ordered(this.#languages[a]!, this.#languages[b]!);
  }
}

type TextValue = Extract<Value, { kind: 'iri' | 'string' | 'langString' }>;

function kindOf(value: Value | undefined): number {
  if (value?.kind === 'iri') return IRI;
  if (value?.kind === 'string') return STRING;
  return value?.kind === 'langString' && value.direction === undefined ? TAGGED : NEITHER;
}

const ordered = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

// A missing unit is below all others.
function units(text: string, start: number): number {
  let number = 0;
  for (let at = start; at < start + UNITS; at++)
    number = number * 65_537 + (at < text.length ? text.charCodeAt(at) + 1 : 0);
  return number;
}

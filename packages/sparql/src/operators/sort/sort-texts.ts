/**
 * Texts of IRIs and strings for sorting. Typed arrays hold the beginnings of strings as numbers, so that most comparisons read no
 * text.
 */
import type { Value } from '../../expression/values/value.js';

const NEITHER = 0;
const IRI = 1;
const STRING = 2;

/** Code units that one number holds exactly. */
const UNITS = 3;
const SURROGATE = /[\uD800-\uDFFF]/;

export class SortTexts {
  readonly #kinds: Uint8Array;
  readonly #first: Float64Array;
  readonly #second: Float64Array;
  readonly #texts: (string | undefined)[] = [];

  constructor(count: number) {
    this.#kinds = new Uint8Array(count);
    this.#first = new Float64Array(count);
    this.#second = new Float64Array(count);
  }

  set(index: number, value: Value | undefined): void {
    this.#texts.push(undefined);
    if (value?.kind !== 'iri' && value?.kind !== 'string') return;
    // JavaScript compares UTF-16 units, which is the order of code points where there are no surrogates.
    if (SURROGATE.test(value.value)) return;
    this.#texts[index] = value.value;
    this.#kinds[index] = value.kind === 'iri' ? IRI : STRING;
    // Most IRIs share their first characters, so their beginnings say nothing.
    if (value.kind === 'iri') return;
    this.#first[index] = units(value.value, 0);
    this.#second[index] = units(value.value, UNITS);
  }

  /** Whether both are IRIs, or both strings: only then {@link compare} says how they order. */
  areAlike(a: number, b: number): boolean {
    return this.#kinds[a] !== NEITHER && this.#kinds[a] === this.#kinds[b];
  }

  compare(a: number, b: number): number {
    const difference = this.#first[a]! - this.#first[b]! || this.#second[a]! - this.#second[b]!;
    if (difference !== 0) return difference;
    const left = this.#texts[a]!;
    const right = this.#texts[b]!;
    return left < right ? -1 : left > right ? 1 : 0;
  }
}

// A missing unit is below all others.
function units(text: string, start: number): number {
  let number = 0;
  for (let at = start; at < start + UNITS; at++)
    number = number * 65_537 + (at < text.length ? text.charCodeAt(at) + 1 : 0);
  return number;
}

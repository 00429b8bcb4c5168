/** Random choices that a seed determines. */
import { seededRandom } from '@quadrille/storage/testing';

/**
 * A campaign has fifty pieces, of which a run does one. It is known to pass, so that a failure tells of a change; another seed finds what nobody
 * has seen yet. In piece 0 Comunica answers a query otherwise than the specification.
 */
export const SEED = Number(process.env['QUADRILLE_SPARQL_SEED'] ?? 2026);
export const PIECE = Number(process.env['QUADRILLE_SPARQL_PIECE'] ?? 35);
/** What repeats a run. */
export const RUN = `QUADRILLE_SPARQL_SEED=${SEED} QUADRILLE_SPARQL_PIECE=${PIECE}`;

export class Chance {
  readonly #random: () => number;

  /** The choices of one case of a run. */
  constructor(index: number, seed = SEED) {
    this.#random = seededRandom((seed ^ Math.imul(index + 1, 0x9e37_79b1)) >>> 0);
  }

  /** A whole number from 0, less than `limit`. */
  below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  /** Whether something happens that does so in this share of the cases. */
  in(share: number): boolean {
    return this.#random() < share;
  }

  among<T>(choices: readonly T[]): T {
    if (choices.length === 0) throw new Error('there is nothing to choose from');
    return choices[this.below(choices.length)]!;
  }

  /** One of the choices, by their weights. */
  weighted<T>(choices: readonly (readonly [weight: number, choice: T])[]): T {
    let left = this.#random() * choices.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, choice] of choices) {
      left -= weight;
      if (left < 0) return choice;
    }
    return choices.at(-1)![1];
  }

  shuffled<T>(items: readonly T[]): T[] {
    const rest = [...items];
    return items.map(() => rest.splice(this.below(rest.length), 1)[0]!);
  }

  times<T>(least: number, most: number, make: () => T): T[] {
    return Array.from({ length: least + this.below(most - least + 1) }, make);
  }
}

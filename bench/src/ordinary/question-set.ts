/** Ordinary questions over one data set. The same seed and size give the same data. */
import type { Random } from '../generate/random.js';

export interface QuestionSet {
  readonly name: string;
  /** How many entities a full run has: people, graphs, tickets or concepts. */
  readonly size: number;
  /** Lines of N-Quads. */
  quads(draw: Random, size: number): Iterable<string>;
  /** Queries without their prefixes, by name. They are about entities that data of any size have. */
  readonly questions: Readonly<Record<string, string>>;
  /** Of questions that Oxigraph answers against the specification: another text, which has the specified answer there. */
  readonly forOxigraph?: Readonly<Record<string, string>>;
}

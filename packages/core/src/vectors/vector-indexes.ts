/** The indexes of vectors that the settings of a repository ask for: one for each dimension. */
import type { Dictionary, TermIndex } from '../dictionary/dictionary.js';
import type { VectorSettings } from '../keyspace/stored-settings.js';
import type { Pacer } from '../runtime/env.js';
import { deletions } from '../values/no-values.js';
import { dropOtherEmbeddings, EmbeddedVectors } from './embedded-vectors.js';
import { storedDimensions, VectorIndex } from './vector-index.js';

export class VectorIndexes implements TermIndex {
  private constructor(
    /** What they were opened for. */
    readonly settings: VectorSettings,
    private readonly dictionary: Dictionary,
    private readonly byDimension: ReadonlyMap<number, VectorIndex>,
    /** Vectors of texts, by their names. */
    private readonly ofTexts: ReadonlyMap<string, EmbeddedVectors>,
  ) {}

  /** The indexes of a dictionary for settings. */
  static async open(dictionary: Dictionary, settings: VectorSettings): Promise<VectorIndexes> {
    for (;;) {
      const known = dictionary.vectorIndex;
      if (known instanceof VectorIndexes && known.settings === settings) return known;
      const before = known instanceof VectorIndexes ? known.byDimension : undefined;
      const all = new Map<number, VectorIndex>();
      const ofTexts = new Map<string, EmbeddedVectors>();
      for (const [name, { property, dimension, embed }] of Object.entries(settings))
        if (embed === true) ofTexts.set(name, new EmbeddedVectors(dictionary, name, property, dimension));
        else if (!all.has(dimension))
          all.set(dimension, before?.get(dimension) ?? (await VectorIndex.open(dictionary, dimension)));
      // Somebody else may have opened them meanwhile.
      if (dictionary.vectorIndex === known)
        dictionary.vectorIndex = new VectorIndexes(settings, dictionary, all, ofTexts);
    }
  }

  of(dimension: number): VectorIndex {
    return this.byDimension.get(dimension)!;
  }

  /** The vectors of texts of a name; `undefined` where it has others. */
  embedded(name: string): EmbeddedVectors | undefined {
    return this.ofTexts.get(name);
  }

  get allEmbedded(): readonly EmbeddedVectors[] {
    return [...this.ofTexts.values()];
  }

  get all(): readonly VectorIndex[] {
    return [...this.byDimension.values()];
  }

  /** Bytes of memory. */
  get bytes(): number {
    return [...this.all, ...this.allEmbedded].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  isDue(limit: number): boolean {
    return this.all.some((index) => index.isBehind(limit));
  }

  progress(limit: number): number {
    return Math.min(1, ...this.all.map((index) => index.progress(limit)));
  }

  async advance(limit: number, pacer: Pacer): Promise<void> {
    for (const index of this.all) await index.build(limit, pacer);
  }

  /** Also those of dimensions that were asked for earlier. */
  async clear(): Promise<void> {
    for (const index of [...this.all, ...this.allEmbedded]) index.forget();
    await this.dictionary.write(deletions(this.dictionary.keyspace, 'vectorIndex'));
  }

  /** Deletes those of dimensions that nobody asks for any more. The caller holds the maintenance lock. */
  async dropOthers(): Promise<void> {
    const { dictionary } = this;
    for (const dimension of await storedDimensions(dictionary.keyspace))
      if (!this.byDimension.has(dimension)) await (await VectorIndex.open(dictionary, dimension)).drop();
    await dropOtherEmbeddings(dictionary, this.settings);
  }
}

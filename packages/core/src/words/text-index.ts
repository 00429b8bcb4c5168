/** The text index of a repository: which literals have a word. */
import { Tag } from '../format/layout.js';
import type { Dictionary } from '../dictionary/dictionary.js';
import { readRoot, ValueIndex, type ValueKind, type View } from '../values/value-index.js';
import { mergeTextRuns } from './merge-runs.js';
import { TextRunBuilder } from './run-builder.js';
import { PARTS, TextRun, type Part } from './text-run.js';
import type { Fold } from './words.js';

/** The form of the index. One of another form is made again. */
const FORM = 3;
/** Answers that are remembered, and their literals. */
const MOST_REMEMBERED = 16;
const REMEMBERED_LITERALS = 1024 * 1024;
const FOLDS: readonly Fold[] = ['case', 'diacritics'];

export type TextView = View<TextRun>;

/** Indexes of words. */
export const textKind = (fold: Fold): ValueKind<TextRun, Part> => ({
  tags: { root: Tag.textIndex, part: Tag.textPart },
  parts: PARTS,
  form: [FORM, FOLDS.indexOf(fold)],
  builder: (from, seed) => new TextRunBuilder(from, fold, seed),
  run: (entry, { cache, source, read }) =>
    new TextRun(entry, { cache, words: source('words'), postings: source('postings'), read }),
  merge: mergeTextRuns,
});

export class TextIndex extends ValueIndex<TextRun, Part> {
  /** Literals by the questions that were asked last. Terms do not change. */
  readonly #found = new Map<string, Uint32Array>();

  private constructor(
    dictionary: Dictionary,
    readonly fold: Fold,
    root: Awaited<ReturnType<typeof readRoot<TextRun, Part>>>,
  ) {
    super(dictionary, textKind(fold), root);
  }

  /** The index of a dictionary; an empty one where there is none, or one with other words. */
  static async open(dictionary: Dictionary, fold: Fold): Promise<TextIndex> {
    const find = (): TextIndex | undefined => {
      const { textIndex } = dictionary;
      return textIndex instanceof TextIndex && textIndex.fold === fold ? textIndex : undefined;
    };
    const known = find();
    if (known !== undefined) return known;
    const root = await readRoot(dictionary, textKind(fold));
    // Somebody else may have read it meanwhile.
    const meanwhile = find();
    if (meanwhile !== undefined) return meanwhile;
    const index = new TextIndex(dictionary, fold, root);
    const before = dictionary.textIndex;
    if (before instanceof TextIndex) index.retire(before);
    dictionary.textIndex = index;
    return index;
  }

  protected override onClear(): void {
    this.#found.clear();
  }

  /** What was found for a question last, or what `find` finds. */
  async remembered(question: string, find: () => Promise<Uint32Array>): Promise<Uint32Array> {
    const known = this.#found.get(question);
    if (known !== undefined) return known;
    const found = await find();
    const all = [...this.#found.values()].reduce((sum, { length }) => sum + length, found.length);
    if (this.#found.size === MOST_REMEMBERED || all > REMEMBERED_LITERALS) this.#found.clear();
    if (found.length <= REMEMBERED_LITERALS) this.#found.set(question, found);
    return found;
  }
}

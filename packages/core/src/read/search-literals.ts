/** Finds the literals of a snapshot that have words. */
import { ConflictError } from '@quadrille/model';
import type { TextSettings } from '../keyspace/stored-settings.js';
import { FIRST_LOCAL_ID } from '../format/layout.js';
import type { LocalTerms } from '../dictionary/local-terms.js';
import { type EndSignal, NO_BREAKS, Pacer } from '../runtime/env.js';
import type { Timeline } from '../timeline/timeline.js';
import { catchUp } from './catch-up.js';
import { memoryRun } from '../values/value-index.js';
import { BestFirst, InParts } from '../words/best-first.js';
import { highlightText } from '../words/highlight.js';
import { TextRunBuilder } from '../words/run-builder.js';
import type { ScoredIds } from '../words/scored-ids.js';
import { literalsWithPieces, onlyScore, searchText, type WordPiece } from '../words/search-text.js';
import { TextIndex, textKind, type TextView } from '../words/text-index.js';
import { parseTextQuery } from '../words/text-query.js';
import type { Fold } from '../words/words.js';

/** A question for words. */
export interface TextQuestion {
  /** In the syntax of Lucene's classic query parser. */
  readonly text: string;
  /** The language tag, or the beginning of one, that literals have. */
  readonly language?: string | undefined;
  /** Those that are found later may be found when somebody asks for more. */
  readonly inParts?: boolean | undefined;
}

/** The state whose literals are searched. */
export interface SearchedState {
  readonly timeline: Timeline;
  /** Terms with lower ids are known to it. */
  readonly termMark: number;
  /** Terms that only a transaction or a query knows. */
  readonly local?: LocalTerms | undefined;
}

/** Literals that fit, the best ones first, and what the settings leave of their quads: IRIs of properties and of graphs. */
export interface FoundTexts extends Pick<TextSettings, 'properties' | 'graphs'> {
  /** Their ids. */
  readonly literals: BestFirst | InParts;
  /** The text of a literal with marks before and behind the words that were asked for. */
  highlight(text: string, start: string, end: string): string;
}

/**
 * Literals with words, where the settings ask for an index of them.
 * @throws ParseError `TEXT_SYNTAX`, ConflictError `NO_INDEX`
 */
export async function searchTexts(state: SearchedState, question: TextQuestion, ends?: EndSignal): Promise<FoundTexts> {
  const { search } = await state.timeline.readSettings();
  if (search?.text === undefined) throw noIndex(state.timeline.keyspace.name);
  const { properties, graphs, languages, fold = 'case' as const } = search.text;
  const asked: PlainQuestion = { ...question, fold, languages };
  const query = parseTextQuery(question.text, fold);
  const score = question.inParts === true ? onlyScore(query) : undefined;
  const highlight = (text: string, start: string, end: string): string => highlightText(text, query, fold, start, end);
  if (score !== undefined) {
    const find = (before: number): Promise<ScoredIds> => searchLiterals(state, asked, ends, before);
    return { literals: new InParts(find, score, state.termMark), highlight, properties, graphs };
  }
  const { ids, scores } = await searchLiterals(state, asked, ends);
  return { literals: new BestFirst(ids, scores), highlight, properties, graphs };
}

const noIndex = (name: string): ConflictError =>
  new ConflictError(
    'NO_INDEX',
    `repository ${name} has no index of words: switch it on by settings.set({ search: { text: true } }) or quadrille settings … search=true`,
    { details: { repository: name } },
  );

/** A question with what the settings say of it. */
export interface PlainQuestion extends TextQuestion, Pick<TextSettings, 'languages'> {
  readonly fold: Fold;
}

/**
 * The ids of the literals that fit, those below `before`, ascending, with their scores. If the index is behind, it is brought up to date first.
 * @throws ParseError `TEXT_SYNTAX`
 */
export async function searchLiterals(
  { timeline, termMark, local }: SearchedState,
  { text, language, languages, fold }: PlainQuestion,
  ends?: EndSignal,
  before?: number,
): Promise<ScoredIds> {
  const query = parseTextQuery(text, fold);
  const { dictionary, env } = timeline;
  const pacer = new Pacer(env, undefined, ends);
  const index = await TextIndex.open(dictionary, fold);
  await catchUp(index, timeline, termMark, pacer);
  const view = await index.view(termMark);
  try {
    const own = local === undefined || local.size === 0 ? view : await withLocal(view, timeline, local, fold);
    return await searchText(own, query, { language, languages }, pacer, before);
  } finally {
    view.release();
  }
}

/** Literals with words that pass tests. */
export interface TestedLiterals {
  /** All that pass, ascending, and perhaps others. */
  readonly ids: Uint32Array;
  /** On demand: a bit for each id, 1 for terms that are no strings with words. */
  readonly wordless?: Uint32Array | undefined;
}

/**
 * The literals whose words pass tests. `undefined`: there is no index, or it has not all of them yet.
 */
export async function literalsWith(
  { timeline, termMark }: SearchedState,
  pieces: readonly WordPiece[],
  withWordless = false,
  ends?: EndSignal,
): Promise<TestedLiterals | undefined> {
  const { search } = await timeline.readSettings();
  if (search?.text === undefined) return undefined;
  const index = await TextIndex.open(timeline.dictionary, search.text.fold ?? 'case');
  if (index.isBehind(termMark)) return undefined;
  const view = await index.view(termMark);
  try {
    // A query asks when it is planned and when it runs.
    const ids = await index.remembered(JSON.stringify([view.mark, pieces]), () =>
      literalsWithPieces(view, pieces, new Pacer(timeline.env, undefined, ends)),
    );
    return { ids, wordless: withWordless ? await wordlessTerms(view) : undefined };
  } finally {
    view.release();
  }
}

/** A bit for each id below the mark, low ids first: 1 where the term is no string with words. */
async function wordlessTerms({ runs, mark }: TextView): Promise<Uint32Array> {
  const bits = new Uint32Array((mark + 31) >>> 5).fill(0xffff_ffff);
  for (const run of runs) {
    const { from } = run.entry;
    const { bytes } = await run.lengths();
    const end = Math.min(bytes.length, mark - from);
    for (let at = 0; at < end; at++) {
      const id = from + at;
      if (bytes[at] !== 0) bits[id >>> 5]! &= ~(1 << (id & 31));
    }
  }
  return bits;
}

const utf8 = new TextEncoder();

async function withLocal(
  view: TextView,
  { keyspace, dictionary }: Timeline,
  local: LocalTerms,
  fold: Fold,
): Promise<TextView> {
  const builder = new TextRunBuilder(FIRST_LOCAL_ID, fold, dictionary.root.seed);
  const end = FIRST_LOCAL_ID + local.size;
  for (let id = FIRST_LOCAL_ID; id < end; id++) {
    const text = local.text(id);
    if (text.startsWith('"')) builder.add(id, utf8.encode(text));
  }
  return {
    ...view,
    runs: [...view.runs, await memoryRun(textKind(fold), keyspace, (put) => builder.finish(end, put, NO_BREAKS))],
  };
}

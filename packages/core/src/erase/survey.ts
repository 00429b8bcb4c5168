/** Finds the revisions that an erasure changes, line by line: those that hold, add or remove erased quads. */
import type { RepositoryHandle } from '../open/handle.js';
import type { Lines, OpenLine } from '../branch/lines.js';
import { MAIN_LINE } from '../timeline/line-record.js';
import { FOREVER } from '../format/layout.js';
import { IndexVersion } from '../index/index-version.js';
import { readRecords } from '../revision/log.js';
import { Statistics } from '../index/statistics.js';
import type { Pacer } from '../runtime/env.js';
import { matchesIn } from './record-matches.js';
import { selectedIntervals } from './selected-intervals.js';
import type { Matches, Selection } from './selection.js';

/** What an erasure changes of one line. */
export interface LineSurvey {
  readonly line: number;
  readonly handle: RepositoryHandle;
  /** The revisions of the line whose records change, ascending. */
  readonly changed: readonly number[];
  /** Number of erased quads before the first revision of the line. */
  readonly before: number;
  /** The same at its head. */
  readonly alive: number;
}

/** Numbers of erased quads at revisions, by line. */
class AliveAt {
  readonly #wanted = new Map<number, Map<number, number>>();

  constructor(private readonly begins: ReadonlyMap<number, { readonly base: number; readonly fork: number }>) {
    for (const { base, fork } of begins.values()) {
      const at = this.#place(base, fork);
      this.of(at.line).set(at.number, 0);
    }
  }

  /** The wanted revisions of a line. */
  of(line: number): Map<number, number> {
    let found = this.#wanted.get(line);
    if (found === undefined) this.#wanted.set(line, (found = new Map()));
    return found;
  }

  /** The number of erased quads where a line begins. */
  before(line: number): number {
    const begin = this.begins.get(line);
    if (begin === undefined) return 0;
    const at = this.#place(begin.base, begin.fork);
    return this.of(at.line).get(at.number)!;
  }

  // The line that has made a revision.
  #place(line: number, number: number): { line: number; number: number } {
    let at = line;
    for (let begin = this.begins.get(at); begin !== undefined && number <= begin.fork; begin = this.begins.get(at))
      at = begin.base;
    return { line: at, number };
  }
}

/** Reads the logs of all lines. `handles` are those of all lines, each after the one on which it begins. */
export async function surveyLines(
  lines: Lines<OpenLine>,
  handles: ReadonlyMap<number, RepositoryHandle>,
  matches: Matches,
  pacer: Pacer,
): Promise<LineSurvey[]> {
  const begins = new Map<number, { base: number; fork: number }>();
  for (const line of handles.keys()) if (line !== MAIN_LINE) begins.set(line, await lines.record(line));
  const aliveAt = new AliveAt(begins);
  const surveys: LineSurvey[] = [];
  for (const [line, handle] of handles) {
    const { timeline } = handle;
    const wanted = aliveAt.of(line);
    const before = aliveAt.before(line);
    const changed: number[] = [];
    let alive = before;
    for await (const record of readRecords(timeline.keyspace, timeline.firstOwn, timeline.published.number)) {
      const { begun, ended } = await matchesIn(timeline.keyspace, record, matches, pacer);
      alive += begun - ended;
      if (begun + ended + alive > 0) changed.push(record.number);
      if (wanted.has(record.number)) wanted.set(record.number, alive);
      if (pacer.due()) await pacer.pause();
    }
    surveys.push({ line, handle, changed, before, alive });
  }
  return surveys;
}

/** The number of different quads of all revisions of all lines that are erased. All changes are in runs. */
export async function countErased(
  handles: Iterable<RepositoryHandle>,
  selection: Selection,
  pacer: Pacer,
): Promise<number> {
  const runs = [...handles].flatMap(({ timeline }) => timeline.index.runs);
  const all = new IndexVersion(runs, []);
  let last: readonly number[] = [];
  let count = 0;
  try {
    for await (const { ids } of selectedIntervals(all, selection, FOREVER - 1, pacer)) {
      if (ids.every((id, i) => id === last[i])) continue;
      last = [...ids];
      count++;
    }
  } finally {
    all.supersede();
  }
  return count;
}

/** The statistics at the head of a line without the erased quads. */
export async function statisticsWithout(
  { timeline }: RepositoryHandle,
  selection: Selection,
  pacer: Pacer,
): Promise<Statistics> {
  const left = timeline.statistics.copy();
  const [p, g] = [new Uint32Array(1), new Uint32Array(1)];
  for await (const { ids, to } of selectedIntervals(timeline.index, selection, timeline.published.number, pacer)) {
    if (to !== FOREVER) continue;
    [p[0], g[0]] = [ids[1], ids[3]];
    left.apply({ p, g, length: 1 }, -1);
  }
  return left;
}

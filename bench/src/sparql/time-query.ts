/**
 * Measures how long a backend takes for the texts of a query after a warm-up. Takes samples of all texts and
 * repetitions.
 */
import type { Answer } from './answer.js';
import { AnswerDigest } from './answer.js';
import type { QueryBackend } from './backend.js';
import type { PreparedQuery } from './query-class.js';
import { RunningMean } from '../report/statistics.js';

/** The time that measuring one query may take, in milliseconds. */
export interface TimeBudget {
  /** A text that takes longer is run only once. */
  readonly long: number;
  /** Time for comparing answers, and again for measuring. */
  readonly measure: number;
  /** Warm-up time. A JavaScript engine compiles code only after some hundred runs. */
  readonly warmUp: number;
  /**
   * Relative standard error of the samples at which measuring ends before its time. Without it, the whole time is
   * used.
   */
  readonly steady?: number;
}
const SUITE_BUDGET: TimeBudget = { long: 10_000, measure: 3000, warmUp: 1000 };
const LEAST_SAMPLES = 3;
const MOST_SAMPLES = 2000;
/** Before the error of so few samples, or of so short a time, means anything. In samples of each text, and milliseconds. */
const STEADY_FROM = { rounds: 10, ms: 50 };

export interface QueryTimes {
  /** Times in milliseconds. */
  readonly samples: readonly number[];
  /** The answers by text, from the first text on, as far as the time sufficed. */
  readonly answers: readonly Answer[];
}

/** Calls `beginning` before each run. */
export async function timeQuery(
  backend: QueryBackend,
  { texts, inexact }: PreparedQuery,
  beginning: () => void = () => {},
  budget: TimeBudget = SUITE_BUDGET,
): Promise<QueryTimes> {
  const timedRun = async (text: string, digest?: AnswerDigest): Promise<{ ms: number; rows: number }> => {
    beginning();
    const begin = performance.now();
    const rows = await backend.run(text, digest);
    return { ms: backend.elapsed?.() ?? performance.now() - begin, rows };
  };
  const answers: Answer[] = [];
  let spent = 0;
  for (const text of texts) {
    const digest = inexact ? undefined : new AnswerDigest();
    const { ms, rows } = await timedRun(text, digest);
    answers.push({ rows, digest: digest?.value ?? 0 });
    spent += ms;
    if (ms > budget.long) return { samples: [ms], answers };
    if (spent > budget.measure) break;
  }
  for (let i = 0; spent < budget.warmUp && i < MOST_SAMPLES; i++)
    spent += (await timedRun(texts[i % texts.length]!)).ms;
  const samples: number[] = [];
  const mean = new RunningMean();
  spent = 0;
  const isSteady = (): boolean =>
    budget.steady !== undefined &&
    spent >= STEADY_FROM.ms &&
    samples.length >= STEADY_FROM.rounds * texts.length &&
    mean.error <= budget.steady;
  while (samples.length < LEAST_SAMPLES || (spent < budget.measure && samples.length < MOST_SAMPLES && !isSteady())) {
    const { ms } = await timedRun(texts[samples.length % texts.length]!);
    samples.push(ms);
    mean.add(ms);
    spent += ms;
  }
  return { samples, answers };
}

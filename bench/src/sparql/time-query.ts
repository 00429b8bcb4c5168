/** How long a backend takes for the texts of a query: warm, all samples over texts and repetitions. */
import type { Answer } from './answer.js';
import { AnswerDigest } from './answer.js';
import type { QueryBackend } from './backend.js';
import type { PreparedQuery } from './query-class.js';

/** A text that takes longer is run once. */
const LONG_MS = 10_000;
/** For warming up and comparing answers, and again for measuring. */
const BUDGET_MS = 3000;
/** Code that runs warm has been compiled for what it does, which takes an engine in JavaScript some hundred runs. */
const WARM_UP_MS = 1000;
const LEAST_SAMPLES = 3;
const MOST_SAMPLES = 2000;

export interface QueryTimes {
  /** Milliseconds. */
  readonly samples: readonly number[];
  /** By text; of those for which there was time, from the first. */
  readonly answers: readonly Answer[];
}

/** `beginning` is called before each run. */
export async function timeQuery(
  backend: QueryBackend,
  { texts, inexact }: PreparedQuery,
  beginning: () => void = () => {},
): Promise<QueryTimes> {
  const timedRun = async (text: string, digest?: AnswerDigest): Promise<{ ms: number; rows: number }> => {
    beginning();
    const begin = performance.now();
    const rows = await backend.run(text, digest);
    return { ms: performance.now() - begin, rows };
  };
  const answers: Answer[] = [];
  let spent = 0;
  for (const text of texts) {
    const digest = inexact ? undefined : new AnswerDigest();
    const { ms, rows } = await timedRun(text, digest);
    answers.push({ rows, digest: digest?.value ?? 0 });
    spent += ms;
    if (ms > LONG_MS) return { samples: [ms], answers };
    if (spent > BUDGET_MS) break;
  }
  for (let i = 0; spent < WARM_UP_MS && i < MOST_SAMPLES; i++) spent += (await timedRun(texts[i % texts.length]!)).ms;
  const samples: number[] = [];
  spent = 0;
  while (samples.length < LEAST_SAMPLES || (spent < BUDGET_MS && samples.length < MOST_SAMPLES)) {
    const { ms } = await timedRun(texts[samples.length % texts.length]!);
    samples.push(ms);
    spent += ms;
  }
  return { samples, answers };
}

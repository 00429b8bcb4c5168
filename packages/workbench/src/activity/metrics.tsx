/** Live figures of the server: each as a number and as its last two minutes. */
import { useEffect, useState } from 'preact/hooks';
import { asProblem, type Problem } from '../api/errors.js';
import { readMetrics } from '../api/metrics.js';
import { activityText } from '../messages/activity.js';
import { ProblemView } from '../terms/problem-view.js';
import { FIGURES, type FigureName, figuresOf, pointsOf, type Reading } from './figures.js';

const EVERY_MS = 2000;
const KEPT = 60;

type Figures = Readonly<Record<FigureName, number>>;

export function Metrics() {
  const [history, problem] = useFigures();
  return (
    <section class="block" aria-label={activityText.metrics}>
      <h2>{activityText.metrics}</h2>
      {problem !== undefined && <ProblemView problem={problem} />}
      <dl class="metrics">
        {FIGURES.map((name) => (
          <Figure key={name} name={name} values={history.map((figures) => figures[name])} />
        ))}
      </dl>
    </section>
  );
}

/** The last figures, the newest last, and why the newest are missing. */
function useFigures(): readonly [readonly Figures[], Problem | undefined] {
  const [history, setHistory] = useState<readonly Figures[]>([]);
  const [problem, setProblem] = useState<Problem | undefined>(undefined);
  useEffect(() => {
    const aborting = new AbortController();
    const { signal } = aborting;
    let before: Reading | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = async (): Promise<void> => {
      const now: Reading = { time: performance.now(), samples: await readMetrics(signal) };
      const last = before;
      before = now;
      setProblem(undefined);
      if (last !== undefined) setHistory((list) => [...list, figuresOf(last, now)].slice(-KEPT));
    };
    const go = async (): Promise<void> => {
      // A page in the background asks for nothing.
      if (!document.hidden) await read().catch((error: unknown) => !signal.aborted && setProblem(asProblem(error)));
      if (!signal.aborted) timer = setTimeout(() => void go(), before === undefined ? EVERY_MS / 4 : EVERY_MS);
    };
    void go();
    return () => {
      aborting.abort();
      clearTimeout(timer);
    };
  }, []);
  return [history, problem];
}

const WIDTH = 180;
const HEIGHT = 36;

function Figure({ name, values }: { readonly name: FigureName; readonly values: readonly number[] }) {
  const now = values.at(-1);
  const shown = activityText.values[name];
  return (
    <div>
      <dt>{activityText.figures[name]}</dt>
      <dd>
        <strong>{now === undefined ? activityText.none : shown(now)}</strong>
        <svg
          class="spark"
          viewBox={`0 -1 ${String(WIDTH)} ${String(HEIGHT + 2)}`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          <polyline points={pointsOf(values, KEPT, WIDTH, HEIGHT)} />
        </svg>
        <small class="muted">{values.length > 0 && activityText.most(shown(Math.max(...values)))}</small>
      </dd>
    </div>
  );
}

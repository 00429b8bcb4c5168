/** What the page shows of the figures of the server: some as they are, some as their growth in a second. */
import type { Samples } from '../api/metrics.js';

export const FIGURES = ['requests', 'running', 'waiting', 'commits', 'cpu', 'memory', 'delay'] as const;
export type FigureName = (typeof FIGURES)[number];

/** Figures at one time. */
export interface Reading {
  /** In milliseconds. */
  readonly time: number;
  readonly samples: Samples;
}

const sum = ({ samples }: Reading, name: string): number =>
  (samples.get(name) ?? []).reduce((total, { value }) => total + value, 0);

/** Counters begin anew when the server does. */
function growth(before: Reading, now: Reading, name: string): number {
  const seconds = (now.time - before.time) / 1000;
  return seconds <= 0 ? 0 : Math.max(sum(now, name) - sum(before, name), 0) / seconds;
}

/** @param before the reading before, from which growth is counted */
export function figuresOf(before: Reading, now: Reading): Readonly<Record<FigureName, number>> {
  const delays = now.samples.get('quadrille_event_loop_delay_seconds') ?? [];
  return {
    requests: growth(before, now, 'quadrille_http_requests_total'),
    running: sum(now, 'quadrille_queries_running'),
    waiting: sum(now, 'quadrille_queries_waiting'),
    commits: growth(before, now, 'quadrille_commits_total'),
    cpu: growth(before, now, 'process_cpu_seconds_total'),
    memory: sum(now, 'process_resident_memory_bytes'),
    delay: delays.find(({ labels }) => labels.includes('"99"'))?.value ?? 0,
  };
}

/** The places of values in a box, the newest at its right edge, as points of a polyline. The box begins at zero. */
export function pointsOf(values: readonly number[], places: number, width: number, height: number): string {
  const most = Math.max(...values, Number.MIN_VALUE);
  const step = width / (places - 1);
  const first = width - (values.length - 1) * step;
  return values.map((value, at) => `${round(first + at * step)},${round(height - (height * value) / most)}`).join(' ');
}

const round = (value: number): string => String(Math.round(value * 10) / 10);

/** How long the measurements will take, from a probe of each store. Times are in milliseconds. */
import type { Phase, StoreKind } from '../stores/store.js';
import type { Plan } from './plan.js';

/** What a process that loads the sample took. */
export interface StoreProbe {
  /** To start, open and close. */
  readonly startMs: number;
  readonly loadMs: number;
}

/** For stores that could not be probed. */
const UNKNOWN: StoreProbe = { startMs: 500, loadMs: 100 };
/** What the time windows of a phase take, whatever the data are. */
const READ_MS = 1000;
const WRITE_MS = 1600;
/** Of each text of a query: its comparison, warm-up and measurement. A long query runs only once. */
const QUERY_RUNS = 5;
const QUERY_MS = 200;
const LONG_QUERY_MS = 2000;
/** A scan costs about so much of a load, and a phase makes six of them at least. */
const SCANS = 6 * 0.3;

export class Estimate {
  /** How much longer all data take than the sample. */
  readonly #scale: number;

  constructor(
    private readonly plan: Plan,
    private readonly probes: ReadonlyMap<string, StoreProbe>,
    baseline: string,
  ) {
    const { probe, data } = plan;
    const reference = probes.get(baseline)?.loadMs ?? 0;
    // The beginning of a large file is loaded by code that is not compiled yet. The load of all data says how much that is.
    this.#scale = probe.bytes >= data.bytes || reference === 0 ? data.bytes / probe.bytes : probe.loadMs / reference;
  }

  /** Of one run of a phase. */
  ms({ name, persistent, role }: StoreKind, phase: Phase): number {
    const probe = this.probes.get(name) ?? UNKNOWN;
    const load = probe.loadMs * this.#scale;
    const ready = probe.startMs + (persistent || phase === 'load' ? 0 : load);
    if (phase === 'load') return ready + load;
    if (phase === 'read') return ready + READ_MS + load * SCANS;
    if (phase === 'write') return ready + WRITE_MS + (persistent && role === 'backend' ? QUERY_MS : 0);
    return ready + this.plan.probe.queriesMs.reduce((sum, ms) => sum + queryMs(ms), 0);
  }
}

const queryMs = (ms: number): number => (ms > LONG_QUERY_MS ? ms : Math.max(QUERY_MS, ms * QUERY_RUNS));

/** A time as one says it: `40 seconds`, `3 minutes`, `2.5 hours`. */
export function inWords(ms: number): string {
  const [value, unit] =
    ms < 90_000
      ? [Math.max(1, roundTo(ms / 1000, ms < 10_000 ? 1 : 5)), 'second']
      : ms < 5_400_000
        ? [roundTo(ms / 60_000, ms < 600_000 ? 0.5 : 1), 'minute']
        : [roundTo(ms / 3_600_000, 0.5), 'hour'];
  return `${value} ${unit}${value === 1 ? '' : 's'}`;
}

const roundTo = (value: number, step: number): number => Math.round(value / step) * step;

/** A time as a clock shows it: `0:07`, `12:40`. */
export function clock(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Decides which measurements are repeated, and tells how much time is left. Times are in milliseconds. */
import { relativeError } from '../report/statistics.js';
import type { Series } from '../series.js';
import { PHASES } from '../stores/store.js';
import type { Phase, StoreKind } from '../stores/store.js';
import type { Estimate } from './estimate.js';

/** The number of runs of each measurement. */
export interface Runs {
  /** Every measurement is made so often. */
  readonly least: number;
  /** No measurement is made more often. */
  readonly most: number;
  /** Relative standard error up to which a figure is not measured again. */
  readonly spread: number;
}

export interface Step {
  readonly store: StoreKind;
  readonly phase: Phase;
}

/** A phase that takes longer is measured once. */
const ONCE_FROM_MS = 120_000;
/** The runs after the least ones may take so much of the time of those. */
const FURTHER_SHARE = 0.25;

export class Schedule {
  readonly #taken = new Map<string, number>();
  readonly #figures = new Map<string, ReadonlySet<string>>();
  /** Phases that are not measured again. */
  readonly #ended = new Set<string>();
  readonly #begin = performance.now();
  #furtherEnd = Infinity;

  constructor(
    readonly steps: readonly Step[],
    readonly runs: Runs,
    private readonly estimate: Estimate,
  ) {}

  /** Whether a step has another run. Called before each. */
  isDue(step: Step, run: number): boolean {
    if (this.#ended.has(keyOf(step))) return false;
    return run < this.runs.least || performance.now() + this.#expected(step) <= this.#furtherEnd;
  }

  end(step: Step): void {
    this.#ended.add(keyOf(step));
  }

  hasEnded(step: Step): boolean {
    return this.#ended.has(keyOf(step));
  }

  /** Call after each run of a step, with the names of its figures. */
  note(step: Step, ms: number, figures: readonly string[]): void {
    this.#taken.set(keyOf(step), ms);
    this.#figures.set(keyOf(step), new Set(figures));
    if (ms > ONCE_FROM_MS) this.end(step);
  }

  /** Call after each run of all steps. */
  endOfRun(run: number, all: Iterable<Series>): void {
    if (run + 1 < this.runs.least) return;
    if (run + 1 === this.runs.least) this.#furtherEnd = performance.now() + this.elapsed * FURTHER_SHARE;
    const series = [...all];
    for (const step of this.steps) if (this.errorOf(step, series) <= this.runs.spread) this.end(step);
  }

  /** The largest relative standard error among the figures of a step. */
  errorOf(step: Step, all: Iterable<Series>): number {
    const names = this.#figures.get(keyOf(step));
    const own = [...all].filter(({ backend, figure }) => backend === step.store.name && names?.has(figure) === true);
    const errors = own.map(({ values, atLeast }) => (atLeast ? 0 : relativeError(values.map(({ value }) => value))));
    return Math.max(0, ...errors);
  }

  get elapsed(): number {
    return performance.now() - this.#begin;
  }

  /** Of the least runs alone, and with all further ones. */
  total(): { least: number; most: number } {
    const least = this.steps.reduce((sum, step) => {
      const once = this.estimate.ms(step.store, step.phase);
      return sum + once * (once > ONCE_FROM_MS ? 1 : this.runs.least);
    }, 0);
    const { runs } = this;
    return { least, most: runs.most > runs.least ? least * (1 + FURTHER_SHARE) : least };
  }

  /** What is left of the least runs, beginning with a step of a run. */
  left(step: Step, run: number): number {
    const at = this.steps.indexOf(step);
    return this.steps.reduce((sum, each, index) => {
      const times = this.runs.least - run - (index < at ? 1 : 0);
      return this.hasEnded(each) || times <= 0 ? sum : sum + times * this.#expected(each);
    }, 0);
  }

  #expected(step: Step): number {
    return this.#taken.get(keyOf(step)) ?? this.estimate.ms(step.store, step.phase);
  }
}

/** All steps in the order of a run: a phase of every store, then the next phase. */
export function stepsOf(stores: readonly StoreKind[], phases: readonly Phase[]): Step[] {
  return PHASES.flatMap((phase) =>
    stores
      .filter(
        ({ phases: able, persistent }) =>
          able.includes(phase) && (phases.includes(phase) || (phase === 'load' && persistent)),
      )
      .map((store) => ({ store, phase })),
  );
}

const keyOf = ({ store, phase }: Step): string => `${store.name} ${phase}`;

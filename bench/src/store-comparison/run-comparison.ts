/** Measures stores in turn and several times, each in its own process, and sums up the results. */
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { InvalidArgumentError } from '@quadrille/model';
import { noteOutcome } from '../series.js';
import type { Series } from '../series.js';
import { figureName } from '../sparql/query-class.js';
import { measureQueries } from '../sparql/measure-queries.js';
import { versionsOf } from '../stores/missing.js';
import type { StoreKind } from '../stores/store.js';
import type { Outcome } from '../worker.js';
import type { Figures } from '../workload.js';
import { runJob, startJob } from './child-process.js';
import type { ComparisonOptions } from './comparison-options.js';
import type { ComparisonReport, MeasuredStore } from './comparison-report.js';
import { clock, Estimate, inWords } from './estimate.js';
import type { StoreProbe } from './estimate.js';
import type { PhaseJob } from './jobs.js';
import { loadAverage, thisMachine } from './machine.js';
import { measurementsOf } from './measurements.js';
import { readPlan } from './plan.js';
import type { Plan } from './plan.js';
import { announcement, figureLine, heading, repeatedLine } from './report/live.js';
import { Schedule, stepsOf } from './schedule.js';
import type { Step } from './schedule.js';
import { overallVerdict, verdictsOf } from './verdict.js';

/**
 * Resolves early, with `ended` in the report, if the signal is aborted or the time is up.
 *
 * @throws the reason of the signal, or InvalidArgumentError `INVALID_OPTION`, if nothing was measured before
 */
export async function compareStores(options: ComparisonOptions): Promise<ComparisonReport> {
  await mkdir(options.scratch, { recursive: true });
  const directory = await mkdtemp(join(options.scratch, 'quadrille-bench-'));
  const limit = new AbortController();
  const timer = setTimeout(
    () => limit.abort(tooShort(options)),
    Math.min(options.limitMs ?? MOST_TIMER_MS, MOST_TIMER_MS),
  );
  try {
    return await new Comparison(options, AbortSignal.any([options.signal, limit.signal]), directory).run();
  } finally {
    clearTimeout(timer);
    await rm(directory, { recursive: true, force: true });
  }
}

/** A timer cannot take more: 24 days. */
const MOST_TIMER_MS = 2 ** 31 - 1;

const tooShort = ({ limitMs = MOST_TIMER_MS }: ComparisonOptions): Error =>
  new InvalidArgumentError(
    'INVALID_OPTION',
    `the limit of ${inWords(limitMs)} ended before the first measurement: give it more --minutes, or less data`,
  );

class Comparison {
  readonly #series = new Map<string, Series>();
  readonly #failures: ComparisonReport['failures'][number][] = [];
  /** Queries of stores that failed or were given up. */
  readonly #ended = new Set<string>();

  constructor(
    private readonly options: ComparisonOptions,
    private readonly signal: AbortSignal,
    private readonly directory: string,
  ) {}

  async run(): Promise<ComparisonReport> {
    const [start, loadBefore] = [performance.now(), loadAverage()];
    const plan = await this.#plan();
    const schedule = await this.#schedule(plan);
    this.options.progress.line(announcement(schedule, this.options));
    this.options.progress.line(heading(this.options.stores[0]!.name));
    try {
      await this.#measureAll(schedule, plan);
    } catch (error) {
      if (!this.signal.aborted || this.#series.size === 0) throw error;
    }
    return this.#report(plan, schedule, start, loadBefore);
  }

  async #plan(): Promise<Plan> {
    const { files, generate, queries, progress } = this.options;
    progress.step(files.length === 0 ? 'generating the data' : 'reading the data');
    const path = this.#path('plan.json');
    const job = { task: 'plan', files, generate, queries, directory: this.directory, plan: path } as const;
    await runJob(job, this.signal);
    return readPlan(path);
  }

  async #schedule(plan: Plan): Promise<Schedule> {
    const { stores, phases, runs, progress } = this.options;
    const probes = new Map<string, StoreProbe>();
    for (const store of stores) {
      progress.step(`estimating the time: ${store.name}`);
      const begin = performance.now();
      const job = { ...this.#job(store), task: 'probe', directory: this.#path(`probe-${store.name}`) } as const;
      try {
        const loadMs = (await runJob(job, this.signal)).figures['load']!.value;
        probes.set(store.name, { startMs: performance.now() - begin - loadMs, loadMs });
      } catch (error) {
        // Measuring such a store fails too, and is reported then.
        if (this.signal.aborted) throw error;
      } finally {
        await rm(job.directory, { recursive: true, force: true });
      }
    }
    return new Schedule(stepsOf(stores, phases), runs, new Estimate(plan, probes, stores[0]!.name));
  }

  /** Measures all stores once, then all again, so that a disturbance of the machine affects all of them. */
  async #measureAll(schedule: Schedule, plan: Plan): Promise<void> {
    for (let run = 0; run < schedule.runs.most; run++) {
      for (const step of schedule.steps) {
        // Other phases of a store on disk need its first load.
        const wanted = this.options.phases.includes(step.phase) || run === 0;
        if (wanted && schedule.isDue(step, run)) await this.#measure(schedule, step, plan, run);
      }
      schedule.endOfRun(run, this.#series.values());
    }
  }

  async #measure(schedule: Schedule, step: Step, plan: Plan, run: number): Promise<void> {
    const { progress, phases } = this.options;
    const { store, phase } = step;
    const now = `${clock(schedule.elapsed)} of about ${clock(schedule.elapsed + schedule.left(step, run))}`;
    progress.step(`${now}: run ${run + 1}, ${store.name}, ${phase}`);
    const begin = performance.now();
    try {
      const outcome = await this.#outcome(step, plan, run);
      schedule.note(step, performance.now() - begin, Object.keys(outcome.figures));
      if (!phases.includes(phase)) return;
      if (phase !== 'queries') this.#note(store.name, outcome.figures, outcome, run);
      if (run > 0)
        progress.line(repeatedLine(step, run, schedule.errorOf(step, this.#series.values()), schedule.elapsed));
    } catch (error) {
      if (this.signal.aborted) throw error;
      this.#fail(store.name, phase, error instanceof Error ? error.message : String(error));
      for (const each of schedule.steps) {
        const lacksData = phase === 'load' && store.persistent && each.store === store;
        if (each === step || lacksData) schedule.end(each);
      }
    }
  }

  /** Keeps figures, and shows those of the first run. */
  #note(store: string, figures: Figures, meters: Omit<Outcome, 'figures'>, run: number): void {
    noteOutcome(this.#series, store, { ...meters, figures }, () => {});
    if (run > 0) return;
    const names = this.options.stores.map(({ name }) => name);
    const shown = measurementsOf(this.#series, names).filter(
      ({ backend, workload }) => backend === store && workload in figures,
    );
    for (const measurement of shown) this.options.progress.line(figureLine(measurement, names[0]!));
  }

  async #outcome({ store, phase }: Step, plan: Plan, run: number): Promise<Outcome> {
    const job = { ...this.#job(store), task: phase };
    if (phase === 'queries') return this.#queries(store.name, plan, job, run);
    if (phase === 'read' || (phase === 'load' && run === 0)) return runJob(job, this.signal);
    const directory = this.#path(`run-${store.name}`);
    try {
      if (phase === 'write' && store.persistent) await cp(job.directory, directory, { recursive: true });
      return await runJob({ ...job, directory }, this.signal);
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  }

  #job({ name, module }: StoreKind): Omit<PhaseJob, 'task'> {
    return { store: module ?? name, plan: this.#path('plan.json'), directory: this.#path(`store-${name}`) };
  }

  /** Keeps each figure as soon as it is there. */
  async #queries(store: string, { queries }: Plan, job: PhaseJob, run: number): Promise<Outcome> {
    const none = { cpuSeconds: 0, peakBytes: 0 };
    const figures = await measureQueries(
      queries.filter((query) => !this.#ended.has(`${store} ${figureName(query)}`)),
      {
        start: () => startJob(job, this.signal),
        measured: (query, found) => {
          // A process that the end of the comparison killed has no figure.
          if (this.signal.aborted) return;
          this.#note(store, { [figureName(query)]: found }, none, run);
          // A query that was given up is not measured again.
          if (found.atLeast === true) this.#ended.add(`${store} ${figureName(query)}`);
        },
        failed: (query, reason) => {
          if (this.signal.aborted) return;
          this.#fail(store, figureName(query), reason);
          this.#ended.add(`${store} ${figureName(query)}`);
        },
        limitMs: this.options.queryLimitMs,
      },
    );
    this.signal.throwIfAborted();
    return { figures, ...none };
  }

  #fail(store: string, what: string, reason: string): void {
    this.#failures.push({ store, what, reason });
    this.options.progress.line(`failed: ${store}, ${what}: ${reason}`);
  }

  #report(plan: Plan, schedule: Schedule, start: number, loadBefore: number): ComparisonReport {
    const { stores, quadrille, command, signal } = this.options;
    const measured = stores.map(describe);
    const measurements = measurementsOf(
      this.#series,
      stores.map(({ name }) => name),
    );
    return {
      format: 2,
      time: new Date().toISOString(),
      quadrille,
      command,
      machine: thisMachine(loadBefore),
      data: plan.data,
      queries: plan.queries.map((query) => ({ name: figureName(query), texts: query.texts })),
      runs: schedule.runs,
      ...(this.signal.aborted ? { ended: signal.aborted ? 'interrupted' : 'time is up' } : {}),
      seconds: (performance.now() - start) / 1000,
      stores: measured,
      measurements,
      overall: overallVerdict(measured, measurements),
      verdicts: verdictsOf(measured, measurements),
      failures: this.#failures,
    };
  }

  #path(name: string): string {
    return join(this.directory, name);
  }
}

function describe(store: StoreKind): MeasuredStore {
  const { name, title, role, persistent, read, use, note } = store;
  return {
    name,
    title,
    role,
    persistent,
    versions: versionsOf(store),
    ...(read === undefined ? {} : { read }),
    ...(use === undefined ? {} : { use }),
    ...(note === undefined ? {} : { note }),
  };
}

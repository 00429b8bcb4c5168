/** Measures stores in turn and several times, each in its own process, and sums up the results. */
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { GeneratorOptions } from '../generate/entities.js';
import { noteOutcome } from '../series.js';
import type { Series } from '../series.js';
import { figureName } from '../sparql/query-class.js';
import { measureQueries } from '../sparql/measure-queries.js';
import { versionsOf } from '../stores/missing.js';
import { PHASES } from '../stores/store.js';
import type { Phase, StoreKind } from '../stores/store.js';
import type { Outcome } from '../worker.js';
import { runJob, startJob } from './child-process.js';
import type { ComparisonReport, MeasuredStore } from './comparison-report.js';
import type { PhaseJob } from './jobs.js';
import { loadAverage, thisMachine } from './machine.js';
import { measurementsOf } from './measurements.js';
import { readPlan } from './plan.js';
import type { Plan } from './plan.js';
import { overallVerdict, verdictsOf } from './verdict.js';

export interface ComparisonOptions {
  /** The measured stores. The others are compared with the first one. */
  readonly stores: readonly StoreKind[];
  /** Files of the user. If there are none, data are generated. */
  readonly files: readonly string[];
  readonly generate: GeneratorOptions;
  /** Query texts by name. If there are none, default queries are used. */
  readonly queries: Readonly<Record<string, string>>;
  readonly phases: readonly Phase[];
  readonly runs: number;
  /** Directory for stores, on the disk that is to be measured. */
  readonly scratch: string;
  /** Time after which a query is given up, in milliseconds. */
  readonly queryLimitMs: number;
  readonly quadrille: string;
  readonly command: string;
  readonly signal: AbortSignal;
  /** Called with a description of each step. */
  readonly progress: (what: string) => void;
}

export async function compareStores(options: ComparisonOptions): Promise<ComparisonReport> {
  await mkdir(options.scratch, { recursive: true });
  const directory = await mkdtemp(join(options.scratch, 'quadrille-bench-'));
  try {
    return await new Comparison(options, directory).run();
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** A store that takes longer than this for a phase in the first run is measured only once there. In milliseconds. */
const ONCE_FROM_MS = 120_000;

class Comparison {
  readonly #series = new Map<string, Series>();
  readonly #failures: ComparisonReport['failures'][number][] = [];
  /** Phases of stores that failed or take too long to be measured again. */
  readonly #ended = new Set<string>();

  constructor(
    private readonly options: ComparisonOptions,
    private readonly directory: string,
  ) {}

  async run(): Promise<ComparisonReport> {
    const { files, generate, queries, runs, stores, signal, progress } = this.options;
    const [start, loadBefore] = [performance.now(), loadAverage()];
    progress('reading the data');
    const path = this.#path('plan.json');
    await runJob({ task: 'plan', files, generate, queries, directory: this.directory, plan: path }, signal);
    const plan = await readPlan(path);
    // Measures all stores once, then all again, so that a disturbance of the machine affects all of them.
    for (let run = 0; run < runs; run++) {
      for (const phase of PHASES) {
        for (const store of stores) await this.#measure(store, phase, plan, run);
      }
    }
    const measured = stores.map(describe);
    const measurements = measurementsOf(
      this.#series,
      stores.map(({ name }) => name),
    );
    return {
      format: 1,
      time: new Date().toISOString(),
      quadrille: this.options.quadrille,
      command: this.options.command,
      machine: thisMachine(loadBefore),
      data: plan.data,
      queries: plan.queries.map((query) => ({ name: figureName(query), texts: query.texts })),
      runs,
      seconds: (performance.now() - start) / 1000,
      stores: measured,
      measurements,
      overall: overallVerdict(measured, measurements),
      verdicts: verdictsOf(measured, measurements),
      failures: this.#failures,
    };
  }

  async #measure(store: StoreKind, phase: Phase, plan: Plan, run: number): Promise<void> {
    const { phases, runs, progress, signal } = this.options;
    const key = `${store.name} ${phase}`;
    if (!store.phases.includes(phase) || this.#ended.has(key)) return;
    // Other phases of a store on disk need its first load.
    const needed = phases.includes(phase) || (phase === 'load' && run === 0 && store.persistent);
    if (!needed || (phase !== 'load' && store.persistent && this.#ended.has(`${store.name} no data`))) return;
    progress(`run ${run + 1} of ${runs}: ${store.name}, ${phase}`);
    const begin = performance.now();
    try {
      const outcome = await this.#outcome(store, phase, plan, run);
      if (phases.includes(phase)) noteOutcome(this.#series, store.name, outcome, () => {});
    } catch (error) {
      if (signal.aborted) throw error;
      this.#fail(store.name, phase, error instanceof Error ? error.message : String(error));
      this.#ended.add(key);
      if (phase === 'load') this.#ended.add(`${store.name} no data`);
    }
    if (performance.now() - begin > ONCE_FROM_MS) this.#ended.add(key);
  }

  async #outcome(store: StoreKind, phase: Phase, plan: Plan, run: number): Promise<Outcome> {
    const loaded = this.#path(`store-${store.name}`);
    const job = { store: store.module ?? store.name, plan: this.#path('plan.json'), directory: loaded };
    const { signal } = this.options;
    if (phase === 'queries') return this.#queries(store.name, plan, { ...job, task: phase });
    if (phase === 'read' || (phase === 'load' && run === 0)) return runJob({ ...job, task: phase }, signal);
    const directory = this.#path(`run-${store.name}`);
    try {
      if (phase === 'write' && store.persistent) await cp(loaded, directory, { recursive: true });
      return await runJob({ ...job, task: phase, directory }, signal);
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  }

  async #queries(store: string, { queries }: Plan, job: PhaseJob): Promise<Outcome> {
    const { queryLimitMs, signal } = this.options;
    const figures = await measureQueries(
      queries.filter((query) => !this.#ended.has(`${store} ${figureName(query)}`)),
      {
        start: () => startJob(job, signal),
        failed: (query, reason) => {
          this.#fail(store, figureName(query), reason);
          this.#ended.add(`${store} ${figureName(query)}`);
        },
        limitMs: queryLimitMs,
      },
    );
    signal.throwIfAborted();
    // Queries that were given up are not measured again.
    for (const [name, { atLeast }] of Object.entries(figures)) {
      if (atLeast === true) this.#ended.add(`${store} ${name}`);
    }
    return { figures, cpuSeconds: 0, peakBytes: 0 };
  }

  #fail(store: string, what: string, reason: string): void {
    this.#failures.push({ store, what, reason });
    this.options.progress(`${store}, ${what}: ${reason}`);
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

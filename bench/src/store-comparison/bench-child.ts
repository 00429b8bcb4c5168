/** A process of the comparison: does one job, reports the result, and ends. */
import { QuadrilleError } from '@quadrille/model';
import { cpuSeconds, peakBytes } from '../measure.js';
import type { TimeBudget } from '../sparql/time-query.js';
import { storeNamed } from '../stores/all-stores.js';
import type { Figures } from '../workload.js';
import type { Job, JobReply, PhaseJob, ProbeJob } from './jobs.js';
import { readPlan } from './plan.js';

/** Less time than in the suites, because there are many queries of several stores in several runs. */
const QUERY_BUDGET: TimeBudget = { long: 2000, measure: 150, warmUp: 60, steady: 0.03 };

async function figuresOf(job: PhaseJob | ProbeJob): Promise<Figures> {
  const kind = storeNamed(job.store);
  const plan = await readPlan(job.plan);
  if (job.task === 'probe') return (await import('./probe-store.js')).probeStore(kind, job.directory, plan);
  if (job.task === 'load') return (await import('./measure-loads.js')).measureLoad(kind, job.directory, plan);
  if (job.task === 'read') return (await import('./measure-reads.js')).measureReads(kind, job.directory, plan);
  return (await import('./measure-writes.js')).measureWrites(kind, job.directory, plan);
}

async function serveQueries(job: PhaseJob): Promise<void> {
  const kind = storeNamed(job.store);
  const plan = await readPlan(job.plan);
  const store = await kind.open(job.directory);
  if (!kind.persistent) await store.load(plan.file);
  const { run, close } = store;
  if (run === undefined) throw new Error('this store cannot answer queries with the installed packages');
  const serving = await import('../sparql/serve-queries.js');
  serving.serveQueries({ run, close }, QUERY_BUDGET);
}

function reply(message: JobReply): void {
  process.send!(message, () => process.disconnect());
}

async function work(job: Job): Promise<void> {
  if (job.task === 'queries') return serveQueries(job);
  let figures: Figures = {};
  if (job.task === 'plan') await (await import('./make-plan.js')).makePlan(job);
  else figures = await figuresOf(job);
  reply({ type: 'done', figures, cpuSeconds: cpuSeconds(), peakBytes: peakBytes() });
}

const job = JSON.parse(process.argv[2]!) as Job;
await work(job).catch((error: unknown) => {
  const code = error instanceof QuadrilleError ? { code: error.code } : {};
  reply({ type: 'failed', message: error instanceof Error ? error.message : String(error), ...code });
});

/** One measurement in its own process: `node worker.js <job as JSON>`. Sends the outcome to the parent as a message. */
import { cpuSeconds, peakBytes } from './measure.js';
import { loadWorkload } from './suites.js';
import type { Context, Figures, Meters } from './workload.js';

export interface Job {
  readonly workload: string;
  readonly part: string;
  readonly context: Context;
}
/** The figures, with CPU time and memory of the whole process. */
export interface Outcome extends Meters {
  readonly figures: Figures;
}

const { workload: name, part, context } = JSON.parse(process.argv[2]!) as Job;
const workload = await loadWorkload(name);
const figures = await workload.parts[part]!.measure(context);
const outcome: Outcome = { figures, cpuSeconds: cpuSeconds(), peakBytes: peakBytes() };
process.send!(outcome, () => process.disconnect());

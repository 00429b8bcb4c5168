/** One measurement in its own process: `node worker.js <job as JSON>`. Sends the outcome to the parent as a message. */
import { cpuSeconds, peakBytes } from './measure.js';
import type { Context, Figures, Meters, Workload } from './workload.js';

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
// Loads only this workload: modules of the others would count in its memory and start time.
const { workload } = (await import(`./workloads/${name}.js`)) as { workload: Workload };
const figures = await workload.parts[part]!.measure(context);
const outcome: Outcome = { figures, cpuSeconds: cpuSeconds(), peakBytes: peakBytes() };
process.send!(outcome, () => process.disconnect());

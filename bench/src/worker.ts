/** One measurement in a process of its own: `node worker.js <job as JSON>`, the outcome as a message to the parent. */
import { cpuSeconds, peakBytes } from './measure.js';
import type { Context, Figures, Meters, Workload } from './workload.js';

export interface Job {
  readonly workload: string;
  readonly part: string;
  readonly context: Context;
}
/** With the meters of the whole process. */
export interface Outcome extends Meters {
  readonly figures: Figures;
}

const { workload: name, part, context } = JSON.parse(process.argv[2]!) as Job;
// Only this one workload is loaded: what the others need would count as its memory and its start.
const { workload } = (await import(`./workloads/${name}.js`)) as { workload: Workload };
const figures = await workload.parts[part]!.measure(context);
const outcome: Outcome = { figures, cpuSeconds: cpuSeconds(), peakBytes: peakBytes() };
process.send!(outcome, () => process.disconnect());

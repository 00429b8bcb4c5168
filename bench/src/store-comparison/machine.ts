/** Describes the machine of the measurements. */
import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';
import type { Machine } from './comparison-report.js';

export const loadAverage = (): number => loadavg()[0]!;

export function thisMachine(loadBefore: number): Machine {
  return {
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryBytes: totalmem(),
    system: `${type()} ${release()}`,
    node: process.version,
    load: [loadBefore, loadAverage()],
  };
}

/** Node.js: its codecs, and figures of its process. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { untrusted as parsedInThread } from '../documents/untrusted-parser.js';
import { nodeCodecs } from './node-codecs.js';
import type { BoundParser, Codecs, Process } from './platform.js';

const RESOLUTION_MS = 10;

/** Features of `/system` that there are not here. */
export const absentFeatures: ReadonlySet<string> = new Set();
export const codecs: Codecs = nodeCodecs;
export const untrusted: BoundParser = parsedInThread;

export const serverProcess: Process | undefined = {
  watchDelays() {
    const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
    histogram.enable();
    return {
      read(percentiles) {
        const seconds = percentiles.map((each) => Math.max(0, histogram.percentile(each) / 1e9 - RESOLUTION_MS / 1000));
        histogram.reset();
        return seconds;
      },
    };
  },
  figures() {
    const { rss, heapUsed } = process.memoryUsage();
    const { user, system } = process.cpuUsage();
    return { residentBytes: rss, heapBytes: heapUsed, cpuSeconds: (user + system) / 1e6 };
  },
};

import type { Workload } from './workload.js';

/** The workloads of each suite, in the order of the report. */
export const SUITES: Readonly<Record<string, readonly string[]>> = {
  engine: [
    'load-1m',
    'load-100k',
    'n3-parse-1m',
    'load-turtle',
    'load-rdf-xml',
    'load-json-ld',
    'scan',
    'lookups',
    'commits',
    'open',
    'history',
  ],
  http: ['point-queries', 'side-by-side', 'beside', 'bsbm'],
  rpc: ['describe-service'],
  sparql: [
    'queries',
    'query-sets',
    'planning',
    'first-row',
    'cold-runs',
    'results-json',
    'deadline',
    'memory',
    'slow-client',
    'install',
  ],
  layers: ['layers'],
  scale: ['scale-load', 'scale-repositories', 'scale-revisions'],
  limits: [
    'limits-changes',
    'limits-updates',
    'limits-long-texts',
    'limits-memory',
    'limits-collisions',
    'limits-replay',
  ],
  ordinary: ['ordinary'],
  shapes: ['shapes'],
  uploads: ['upload', 'upload-trouble'],
  history: ['releases'],
  search: ['search'],
};

/** Loads this workload and no other: modules of the others would count in its memory and start time. */
export async function loadWorkload(name: string): Promise<Workload> {
  const suite = Object.keys(SUITES).find((each) => SUITES[each]!.includes(name));
  // What prepares stores for the others belongs to no suite.
  const path = suite === undefined ? name : `${suite}/${name}`;
  const { workload } = (await import(`./workloads/${path}.js`)) as { workload: Workload };
  return workload;
}

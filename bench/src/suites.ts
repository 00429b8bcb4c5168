/** Which workloads a suite has, in the order of the report. */
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
  http: ['point-queries'],
  rpc: ['describe-service'],
  sparql: ['queries', 'results-json', 'deadline', 'memory', 'slow-client', 'install'],
  scale: ['scale-load', 'scale-repositories', 'scale-revisions'],
  uploads: ['upload', 'upload-trouble'],
};

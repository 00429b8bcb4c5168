/** What things cost, in microseconds, as measured on one machine: only how they compare matters. */
export const Cost = {
  /** An operator that is opened. */
  open: 2,
  scanRow: 0.012,
  /** Finding the quads of one row of the input; less where the input ascends by what is looked up. */
  seek: 0.9,
  sortedSeek: 0.35,
  outRow: 0.015,
  buildRow: 0.08,
  probeRow: 0.05,
  mergeRow: 0.02,
  filterRow: 0.1,
  sortRow: 0.3,
  /** Reaching what a path reaches from one node. */
  pathStart: 20,
  /** A row that another host is asked about. */
  serviceRow: 1000,
  /** Rows that a seed has at a time. */
  seedRows: 4096,
} as const;

/** Costs in microseconds, measured on one machine. Only their ratios matter. */
export const Cost = {
  /** An operator that is opened. */
  open: 2,
  scanRow: 0.012,
  /** The lookup of the quads of one input row; cheaper where the input is sorted by the bound variable. */
  seek: 0.9,
  sortedSeek: 0.35,
  /** A quad that a scan of stars reads, and a value of a star that is looked up or read. */
  starRow: 0.018,
  ray: 0.1,
  outRow: 0.015,
  buildRow: 0.08,
  probeRow: 0.05,
  mergeRow: 0.02,
  filterRow: 0.1,
  sortRow: 0.3,
  /** A path search from one node. */
  pathStart: 20,
  /**
   * A search for words. Patterns with fewer rows are scanned. Literals are looked up if they are at most the share `mostByWords` of the rows;
   * up to the share `mostTested` all rows are read, and their ids tested.
   */
  search: 200,
  leastByWords: 2048,
  mostByWords: 1 / 16,
  mostTested: 1 / 4,
  /** A row of which only the id of the object is tested. */
  testedRow: 0.004,
  /** A value of a row that comes from another repository, or goes there. */
  translate: 0.5,
  /** A row that is sent to another host. */
  serviceRow: 1000,
  /** Rows of a seed at a time. */
  seedRows: 4096,
  /** At least this many rows are looked up before a hash table is built for the rest. */
  leastSeeks: 1024,
  /** A planned scan is replaced by seeks for at most `mostSought` rows, if the seeks cost at most `seekShare` of the scan. */
  mostSought: 4096,
  seekShare: 0.5,
  /** Join orders that cost less than `leastSampled` are not sampled. Sampling takes at most `sampleShare` of their cost. */
  leastSampled: 4000,
  sampleShare: 0.05,
  samplePair: 200,
  /** Orders that cost more are compared with trees of joins, which have to promise so small a share of that. */
  leastOfTrees: 1000,
  /** Cheaper orders are not compared with such that read stars as a whole. */
  leastOfStars: 300,
  starShare: 0.9,
  treeShare: 0.7,
  /**
   * Sorting fewer rows costs less than a second plan, by parts of an index. A part has at least `leastOfPart` rows and at most
   * the share `mostOfPart` of all rows. Where its rows are looked up one by one, it has at least `leastLookedUp`.
   */
  leastSorted: 4096,
  leastOfPart: 2048,
  leastLookedUp: 32,
  mostOfPart: 1 / 8,
  /** A sort by parts has to promise so small a share of the costs of one sort. */
  partsShare: 0.5,
} as const;

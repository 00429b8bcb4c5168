/** Settings of query threads that only tests change. */
export const threadSettings = {
  /** A query that takes less time by its plan is not worth a thread. */
  leastCostMs: 20,
  /** The module that a thread runs. */
  file: new URL('query-thread.js', import.meta.url),
  /** Largest heap of a thread in megabytes. Default: by that of the main thread. */
  heapMegabytes: undefined as number | undefined,
};

/** Number of repositories whose state a thread keeps for later sessions. */
export const KEPT_REPLICAS = 4;

/** Names that all tabs of a playground share. Two of one host, at different paths, share nothing. */

/** The folder that the script of a worker was written to, seen from the page. */
const ASSETS = '../../';

/** The path of the page, with a slash at its end. */
export const scopeOf = (script: string): string => new URL(ASSETS, script).pathname;

export const storeName = (scope: string): string => `playground ${scope}`;
export const leaderLock = (scope: string): string => `quadrille playground ${scope} leader`;
export const aliveLock = (scope: string, worker: string): string => `quadrille playground ${scope} alive ${worker}`;
export const channelName = (scope: string): string => `quadrille playground ${scope}`;

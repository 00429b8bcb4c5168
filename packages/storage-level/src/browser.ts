/** What of this package runs in browsers: the driver over any abstract-level database. LevelDB in a directory does not. */
export { LevelDriver, type LevelDriverOptions } from './level-driver.js';
export type { LevelDatabase } from './level-database.js';

/**
 * The part of the package that runs in browsers: the driver over any abstract-level database, without LevelDB in a
 * directory.
 */
export { LevelDriver, type LevelDriverOptions } from './level-driver.js';
export type { LevelDatabase } from './level-database.js';

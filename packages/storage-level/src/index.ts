export { LevelDriver, type LevelDriverOptions } from './level-driver.js';
export type { LevelDatabase } from './level-database.js';
export { LevelDirectory, openLevelDirectory, type LevelDirectoryOptions } from './level-directory.js';

export { LevelDriver, type LevelDriverOptions } from './level-driver.js';
export type { LevelDatabase } from './level-database.js';
export { LevelDirectory, openDamagedLevel, openLevelDirectory, type LevelDirectoryOptions } from './level-directory.js';

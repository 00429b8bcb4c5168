/** The settings of a repository. What reads and changes them is loaded with the first call. */
import type { Repository as CoreRepository } from '@quadrille/core';
import type { Settings } from '../api/index.js';
import { StoredMetadata } from './metadata.js';
import type { Guarded } from '../guard/shapes-queries.js';

/** Each import of a module takes microseconds, also of one that is loaded, and each update over HTTP asks for the settings. */
let stored: typeof import('./stored-settings.js') | undefined;

export const settingsOf = (core: CoreRepository, engine: Guarded['engine']): Settings => ({
  get: async () => (stored ??= await import('./stored-settings.js')).getSettings(core),
  set: async (change) =>
    (await import('./stored-settings.js')).setSettings(core, change, { engine, repository: core.name }),
  metadata: new StoredMetadata(core),
});

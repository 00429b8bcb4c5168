/** The settings of a repository. What reads and changes them is loaded with the first call. */
import type { Repository as CoreRepository } from '@quadrille/core';
import type { Settings } from '../api/index.js';

export const settingsOf = (core: CoreRepository): Settings => ({
  get: async () => (await import('./stored-settings.js')).getSettings(core),
  set: async (change) => (await import('./stored-settings.js')).setSettings(core, change),
});

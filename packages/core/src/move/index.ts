/** Moves of repositories between stores: loaded when the first one begins. */
export { freezeRepository, thawRepository } from './freeze.js';
export type { FrozenRepository, MovingStore } from './freeze.js';
export { alreadyThere, changeRedirect, leaveRecord, showCopy } from './hand-over.js';
export { assertUnchanged, takeIn } from './take-in.js';
export type { HiddenCopy } from './take-in.js';

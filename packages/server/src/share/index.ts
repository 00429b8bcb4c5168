/** One store for all processes of a machine: `open(dir, { share: true })` loads this. */
export { joinShared, openShared } from './shared-database.js';
export { serveGuests } from './holder.js';

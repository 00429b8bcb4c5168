/** The entry of threads that answer queries. */
import { loadCommand } from './launch/load-command.js';

await loadCommand().exports.queryThread();

/** The entry of threads that answer queries. */
import { loadCommand } from './load-command.js';

await loadCommand().exports.queryThread();

/** The entry of threads that parse. */
import { loadCommand } from './launch/load-command.js';

await loadCommand().exports.parserThread();

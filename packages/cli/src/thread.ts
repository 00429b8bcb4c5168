/** The entry of threads that parse. */
import { loadCommand } from './load-command.js';

await loadCommand().exports.parserThread();

/** The entry that the bin of the package `quadrille` starts. */
import { run } from './run.js';

process.exitCode = await run(process.argv.slice(2));

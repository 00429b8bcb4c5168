/** The entry that the bin of the package `quadrille` starts. */
import { loadCommand } from './launch/load-command.js';

const { exports: command, keep } = loadCommand();
process.exitCode = await command.run(process.argv.slice(2));
keep();

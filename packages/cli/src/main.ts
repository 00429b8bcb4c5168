/** The entry that the bin of the package `quadrille` starts. */
import { loadCommand } from './launch/load-command.js';

const { exports: command, keep } = loadCommand();
void command.run(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
  keep();
});

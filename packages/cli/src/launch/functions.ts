/** The functions of the command, for programs that import the package: those of its one file. */
import { loadCommand } from './load-command.js';

export const { createProgram, exitCodeOf, run } = loadCommand().exports;

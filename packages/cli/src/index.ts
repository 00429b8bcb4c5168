/** The command as a function, for programs that bring their own `quadrille`. The bin runs main.ts. */
export { run } from './run.js';
export { exitCodeOf } from './exit.js';
/** The commander program, from which the reference of the command is written. */
export { createProgram } from './program.js';

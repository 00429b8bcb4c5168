/**
 * The module: what finds terms in documents, in AssemblyScript. `npm run scanner` makes src/scanner-module.ts of it.
 */
export { inputBytes, inputStart, records } from './layout';
export { scan, stopped } from './line-scanner';
export { declare, declared } from './prefixes';
export { scanTurtle, turtleLines, turtleStopped } from './turtle-scanner';

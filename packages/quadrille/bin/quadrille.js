#!/usr/bin/env node
// Launches the command, which is built into the folder of its package. It is no module: Node.js starts its loader for those.
try {
  require('@quadrille/cli/main');
} catch (error) {
  if (error.code !== 'MODULE_NOT_FOUND' && error.code !== 'ERR_PACKAGE_PATH_NOT_EXPORTED') throw error;
  process.stderr.write(`quadrille: the command is not built: run npm run build (${error.message})\n`);
  process.exitCode = 1;
}

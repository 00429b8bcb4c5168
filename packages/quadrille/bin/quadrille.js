#!/usr/bin/env node
// Launches the command, which lives in @quadrille/cli: a program that only embeds the library need not install it.
try {
  await import('@quadrille/cli/main');
} catch (error) {
  if (error.code !== 'ERR_MODULE_NOT_FOUND' && error.code !== 'ERR_PACKAGE_PATH_NOT_EXPORTED') throw error;
  const built = !String(error.message).includes("package '@quadrille/cli'");
  process.stderr.write(
    built
      ? `quadrille: the command is not built: run npm run build (${error.message})\n`
      : 'quadrille: the command is in a package of its own: npm i @quadrille/cli\n',
  );
  process.exitCode = 1;
}

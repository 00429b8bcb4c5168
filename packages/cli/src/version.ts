/** The version of the command. */
import { createRequire } from 'node:module';

/** From the package itself, in the sources as in the bundle. */
export function versionOfCommand(): string {
  const require = createRequire(import.meta.url);
  const { version } = require('@quadrille/cli/package.json') as { version: string };
  return version;
}

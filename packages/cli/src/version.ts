/** The version of the command. */
import { createRequire } from 'node:module';

/** Reads package.json. The path is right for the sources and for the bundle. */
export function versionOfCommand(): string {
  const require = createRequire(import.meta.url);
  const { version } = require('@quadrille/cli/package.json') as { version: string };
  return version;
}

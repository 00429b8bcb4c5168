/** The version of the command. */
import { createRequire } from 'node:module';

/** The version of `quadrille`, of which the command is a part. */
export function versionOfCommand(): string {
  const require = createRequire(import.meta.url);
  const { version } = require('quadrille/package.json') as { version: string };
  return version;
}

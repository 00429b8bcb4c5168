/** What starts a program of a test: the runtime of the tests, or the one that QUADRILLE_RUNTIME names. */

/** The program and its arguments before the file, as JSON: `["bun"]`, `["deno","run","-A"]`. */
const OTHER = process.env['QUADRILLE_RUNTIME'];

/** The command that runs `args`: a file with its arguments. */
export function commandOf(args: readonly string[]): { readonly program: string; readonly args: readonly string[] } {
  const [program = process.execPath, ...first] = OTHER === undefined ? [] : (JSON.parse(OTHER) as string[]);
  return { program, args: [...first, ...args] };
}

/** Without the warnings of a runtime about packages of others. */
export const withoutWarnings = (stderr: string): string =>
  OTHER === undefined ? stderr : stderr.replace(/^\(.*\n/gm, '');

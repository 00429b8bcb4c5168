/** Opens a page in the browser of whoever runs the command. */
/** The program that opens addresses; `BROWSER` names another one. */
function opener(): readonly [program: string, ...args: string[]] {
  const { BROWSER } = process.env;
  if (BROWSER !== undefined && BROWSER !== '') return [BROWSER];
  if (process.platform === 'darwin') return ['open'];
  return process.platform === 'win32' ? ['rundll32', 'url.dll,FileProtocolHandler'] : ['xdg-open'];
}

/** Starts the browser. The result is the program that could not be started, if that is so. */
export async function openBrowser(address: string): Promise<string | undefined> {
  // Most commands start no program.
  const { spawn } = await import('node:child_process');
  const [program, ...args] = opener();
  const child = spawn(program, [...args, address], { stdio: 'ignore', detached: true });
  // The browser goes on when the command ends.
  child.unref();
  return new Promise((done) => {
    child.once('error', () => done(program));
    child.once('spawn', () => done(undefined));
  });
}

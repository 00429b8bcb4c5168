/** Runs a command line. */
import type { Writable } from 'node:stream';
import type { WriteStream } from 'node:tty';
import { CommanderError } from 'commander';
import { EXIT, exitCodeOf, SIGNAL_EXIT } from './exit.js';
import { printFailure } from './failure.js';
import { Output, OutputClosed } from './output.js';
import { createProgram } from './program.js';
import type { Shell } from './shell.js';

/** Where a command writes. */
export interface Streams {
  readonly stdout: Writable;
  readonly stderr: Writable;
}

/**
 * `argv` without the interpreter and the script. Never rejects.
 * @param streams those of the process by default; others for a program that runs commands itself
 * @param agent the name of an agent that was greeted before the command was loaded
 */
export async function run(argv: readonly string[], streams: Streams = process, agent?: string): Promise<number> {
  const stdout = new Output(streams.stdout);
  const stderr = new Output(streams.stderr);
  const interruption = watchSignals();
  let exitCode: number = EXIT.ok;
  const shell: Shell = {
    stdout,
    stderr,
    isTerminal: { stdout: isTerminal(streams.stdout), stderr: isTerminal(streams.stderr) },
    columns: (streams.stdout as Partial<WriteStream>).columns ?? 80,
    signal: interruption.signal,
    ...(agent !== undefined && { agent }),
    setExitCode(code) {
      exitCode = code;
    },
  };
  const program = createProgram(shell, argv[0]);
  try {
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof OutputClosed) return EXIT.ok;
    // Help and version were asked for and are printed.
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.ok;
    // No command at all: the help was printed, on standard error.
    if (error instanceof CommanderError && error.code === 'commander.help') return EXIT.usage;
    const interrupted = interruption.exitCode();
    if (interrupted !== undefined) return interrupted;
    await stderr
      .write(printFailure(error, argv.includes('--json'), process.env['QUADRILLE_DEBUG'] === '1'))
      .catch(() => undefined);
    return error instanceof CommanderError ? EXIT.usage : exitCodeOf(error);
  } finally {
    interruption.stop();
  }
}

const isTerminal = (stream: Writable): boolean => (stream as Partial<WriteStream>).isTTY === true;

/** The first signal aborts the command, which closes its store. The second one ends the process at once. */
function watchSignals(): { signal: AbortSignal; exitCode: () => number | undefined; stop: () => void } {
  const controller = new AbortController();
  let received: keyof typeof SIGNAL_EXIT | undefined;
  const onSignal = (name: keyof typeof SIGNAL_EXIT): void => {
    if (received !== undefined) process.exit(SIGNAL_EXIT[name]);
    received = name;
    controller.abort();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return {
    signal: controller.signal,
    exitCode: () => (received === undefined ? undefined : SIGNAL_EXIT[received]),
    stop() {
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
    },
  };
}

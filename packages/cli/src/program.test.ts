import { expect, test } from 'vitest';
import { Output } from './output.js';
import { COMMANDS, createProgram } from './program.js';
import type { Shell } from './shell.js';

const shell: Shell = {
  stdout: new Output(process.stdout),
  stderr: new Output(process.stderr),
  isTerminal: { stdout: false, stderr: false },
  columns: 80,
  signal: new AbortController().signal,
  setExitCode: () => undefined,
};
const namesIn = (asked?: string): string[] => createProgram(shell, asked).commands.map((command) => command.name());

test('a command is found by its name, and is the same alone', () => {
  const whole = createProgram(shell);
  expect(whole.commands.map((command) => command.name())).toEqual([...COMMANDS.keys()]);
  for (const command of whole.commands) {
    expect(namesIn(command.name())).toEqual([command.name()]);
    expect(createProgram(shell, command.name()).commands[0]!.helpInformation()).toBe(command.helpInformation());
    expect(command.aliases()).toEqual([]);
  }
});

test('what is no command meets all of them: its error names the nearest', () => {
  for (const asked of ['--help', 'help', 'qeury', '']) expect(namesIn(asked)).toEqual([...COMMANDS.keys()]);
});

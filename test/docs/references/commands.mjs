/** The commands with their arguments and options, by walking the program: for docs/reference/commands.md and for the pages of the site. */

const code = (text) => `\`${String(text).replaceAll('|', '\\|')}\``;
const cell = (text) =>
  String(text ?? '')
    .replaceAll('|', '\\|')
    .replaceAll('<', '&lt;')
    .replaceAll(/\s+/g, ' ');

/** Every command that does something, with its full name. `program` is one of commander. */
export function commandsOf(program, name = program.name()) {
  return program.commands
    .filter((child) => child.name() !== 'help')
    .flatMap((child) => {
      const full = `${name} ${child.name()}`;
      return child.commands.length > 0 ? commandsOf(child, full) : [{ name: full, command: child }];
    });
}

/** What a command does, with headings of this level. */
export function commandText({ name, command }, level) {
  const rows = command.options.map((option) => `| ${code(option.flags)} | ${cell(option.description)} |`);
  const args = command.registeredArguments.map(
    (argument) => `| \`${argument.name()}\` | ${argument.required ? 'yes' : 'no'} | ${cell(argument.description)} |`,
  );
  // What stands below the options: the examples, and a text for people.
  let after = '';
  command.configureOutput({ writeOut: (text) => (after += text) });
  command.outputHelp();
  const [, examples = ''] = after.split(/\n(?=Examples:\n)/);
  const heading = (text) => (level === 0 ? '' : `${'#'.repeat(level)} ${text}\n\n`);
  return [
    cell(command.description()),
    `\`\`\`sh no-run="the usage of the command"\n${name} ${command.usage()}\n\`\`\``,
    args.length > 0 &&
      `${heading('Arguments')}| argument | required | meaning |\n| --- | --- | --- |\n${args.join('\n')}`,
    rows.length > 0 && `${heading('Options')}| option | meaning |\n| --- | --- |\n${rows.join('\n')}`,
    examples !== '' && `${heading('Examples')}\`\`\`text\n${examples.replace('Examples:\n', '').trimEnd()}\n\`\`\``,
  ]
    .filter(Boolean)
    .join('\n\n');
}

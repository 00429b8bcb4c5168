import { join } from 'node:path';
import { built, cell, code, REFERENCE, write } from './page.mjs';

/** One page for each command, by walking the program. */
export async function command() {
  const { createProgram } = await built('cli/dist/bundle/index.js');
  const output = { write: () => Promise.resolve() };
  const program = createProgram({ stdout: output, stderr: output });
  const walk = (one, name) => {
    for (const child of one.commands.filter((next) => next.name() !== 'help')) {
      const full = `${name} ${child.name()}`;
      if (child.commands.length > 0) walk(child, full);
      else
        write(
          join(REFERENCE, 'cli', `${full.replace('quadrille ', '').replaceAll(' ', '-')}.md`),
          full,
          commandPage(child, full),
        );
    }
  };
  walk(program, 'quadrille');
}

function commandPage(one, name) {
  const rows = one.options.map((option) => `| ${code(option.flags)} | ${cell(option.description)} |`);
  const args = one.registeredArguments.map(
    (argument) => `| \`${argument.name()}\` | ${argument.required ? 'yes' : 'no'} | ${cell(argument.description)} |`,
  );
  // What stands below the options: the examples, and a text for people.
  let after = '';
  one.configureOutput({ writeOut: (text) => (after += text) });
  one.outputHelp();
  const [, examples = ''] = after.split(/\n(?=Examples:\n)/);
  return [
    cell(one.description()),
    `\`\`\`sh\n${name} ${one.usage()}\n\`\`\``,
    args.length > 0 && `## Arguments\n\n| argument | required | meaning |\n| --- | --- | --- |\n${args.join('\n')}`,
    rows.length > 0 && `## Options\n\n| option | meaning |\n| --- | --- |\n${rows.join('\n')}`,
    examples !== '' && `## Examples\n\n\`\`\`text\n${examples.replace('Examples:\n', '').trimEnd()}\n\`\`\``,
  ]
    .filter(Boolean)
    .join('\n\n');
}

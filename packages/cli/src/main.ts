/** The entry that the bin of the package `quadrille` starts. */
import { greet, greetedToolsets } from './launch/greeting.js';
import { loadCommand } from './launch/load-command.js';

const argv = process.argv.slice(2);
const tools = greetedToolsets(argv);
if (tools === undefined) start();
else void greet(tools, process.stdin, process.stdout).then(start);

/** @param agent the name of an agent that was greeted */
function start(agent?: string): void {
  const { exports: command, keep } = loadCommand();
  void command.run(argv, process, agent).then((code) => {
    process.exitCode = code;
    keep();
  });
}

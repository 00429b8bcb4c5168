/** The command line as a whole: the name, the version, and one file per subcommand. */
import { Command } from 'commander';
import { addBackup } from './backup/backup.js';
import { addCopy } from './backup/copy.js';
import { addRestore } from './backup/restore.js';
import { addVerifyBackup } from './backup/verify-backup.js';
import { addAccount } from './accounts/account.js';
import { addCollaborator } from './accounts/collaborator.js';
import { addBlame } from './history/blame.js';
import { addBranchCommand } from './branches/branch.js';
import { addBench } from './bench/bench.js';
import { addCompact } from './commands/compact.js';
import { addDiff } from './commands/diff.js';
import { addDigest } from './commands/digest.js';
import { addDump } from './commands/dump.js';
import { addExplain } from './commands/explain.js';
import { addFork } from './branches/fork.js';
import { addClone } from './history/clone.js';
import { addExportHistory } from './history/export-history.js';
import { addImportHistory } from './history/import-history.js';
import { addRemote } from './history/remote.js';
import { addPull, addPush } from './history/replication.js';
import { addHealth } from './commands/health.js';
import { addLoad } from './commands/load.js';
import { addLog } from './commands/log.js';
import { addMerge } from './branches/merge.js';
import { addGc } from './shared-stores/gc.js';
import { addMigrate } from './shared-stores/migrate.js';
import { addShow } from './commands/show.js';
import { addNamespace } from './accounts/namespace.js';
import { addRepositoryCommand } from './repositories/repository-command.js';
import { addPublish } from './publish/publish.js';
import { addQuery } from './commands/query.js';
import { addRebuild } from './commands/rebuild.js';
import { addRecover } from './commands/recover.js';
import { addPatch } from './history/patch.js';
import { addRevert } from './commands/revert.js';
import { addServe } from './commands/serve.js';
import { addSearch } from './commands/search.js';
import { addSettings } from './commands/settings.js';
import { addSign } from './commands/sign.js';
import { addSize } from './commands/size.js';
import { addPlayground } from './playground/playground.js';
import { addMcp } from './serve/mcp.js';
import { addUi } from './serve/ui.js';
import { addToken } from './accounts/token.js';
import { addErase } from './history/erase.js';
import { addTrim } from './history/trim.js';
import { addUpdate } from './commands/update.js';
import { addVerify } from './commands/verify.js';
import { addValidate } from './repositories/validate.js';
import { addWatch } from './watch/watch.js';
import type { Shell } from './shell.js';
import { versionOfCommand } from './version.js';

const EXAMPLES = `
Examples:
  $ quadrille load ./data people.ttl.gz                  make a store and load a file into it
  $ quadrille query ./data 'SELECT * { ?s ?p ?o } LIMIT 5'
  $ quadrille update ./data 'INSERT DATA { <urn:a> <urn:b> "c" }' -m 'add c'
  $ quadrille log ./data                                 every write is a revision
  $ quadrille query ./data 'ASK { ?s ?p "c" }' --at HEAD~1
  $ quadrille diff ./data HEAD~1 HEAD
  $ quadrille bench --data people.ttl.gz                 which storage backend is best for these data
  $ quadrille ui ./data                                  opens it in the browser
  $ quadrille serve ./data                               SPARQL and REST on http://127.0.0.1:8080

quadrille <command> --help says more about each. Exit codes: 0 done, 1 failed, 2 wrong use, 65 syntax error or damage in the
input, 66 no such input file, 70 damaged store, 74 input/output error. QUADRILLE_DEBUG=1 prints stack traces.
`;

/** Adds a command to the program. */
type Add = (program: Command, shell: Shell) => void;

/** In the order of the help. */
export const COMMANDS: ReadonlyMap<string, Add> = new Map<string, Add>([
  ['load', addLoad],
  ['query', addQuery],
  ['explain', addExplain],
  ['update', addUpdate],
  ['dump', addDump],
  ['log', addLog],
  ['show', addShow],
  ['diff', addDiff],
  ['blame', addBlame],
  ['watch', addWatch],
  ['patch', addPatch],
  ['revert', addRevert],
  ['branch', addBranchCommand],
  ['merge', addMerge],
  ['fork', addFork],
  ['export-history', addExportHistory],
  ['import-history', addImportHistory],
  ['clone', addClone],
  ['pull', addPull],
  ['push', addPush],
  ['remote', addRemote],
  ['search', addSearch],
  ['settings', addSettings],
  ['validate', addValidate],
  ['size', addSize],
  ['verify', addVerify],
  ['digest', addDigest],
  ['sign', addSign],
  ['rebuild', addRebuild],
  ['recover', addRecover],
  ['compact', addCompact],
  ['trim', addTrim],
  ['erase', addErase],
  ['backup', addBackup],
  ['verify-backup', addVerifyBackup],
  ['restore', addRestore],
  ['copy', addCopy],
  ['repository', addRepositoryCommand],
  ['migrate', addMigrate],
  ['gc', addGc],
  ['ui', addUi],
  ['serve', addServe],
  ['mcp', addMcp],
  ['health', addHealth],
  ['publish', addPublish],
  ['playground', addPlayground],
  ['bench', addBench],
  ['account', addAccount],
  ['token', addToken],
  ['collaborator', addCollaborator],
  ['namespace', addNamespace],
]);

/** The program with all its commands, or with the one that is asked for: to define the others takes as long as a query. */
export function createProgram(shell: Shell, asked?: string): Command {
  const program = new Command('quadrille')
    .description('An RDF quad store that keeps every commit as a revision which full SPARQL can query.')
    .version(versionOfCommand(), '-V, --version', 'print the version')
    .addHelpText('after', EXAMPLES)
    .showSuggestionAfterError()
    .exitOverride()
    // Errors are printed by run(), in the one form that all errors have.
    .configureOutput({
      outputError: () => undefined,
      writeOut: (text) => void shell.stdout.write(text).catch(() => undefined),
      writeErr: (text) => void shell.stderr.write(text).catch(() => undefined),
      getOutHelpWidth: () => shell.columns,
      getErrHelpWidth: () => shell.columns,
    });
  const add = asked === undefined ? undefined : COMMANDS.get(asked);
  for (const each of add === undefined ? COMMANDS.values() : [add]) each(program, shell);
  return program;
}

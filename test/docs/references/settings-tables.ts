/** The tables of docs/reference/settings.md: names, defaults and meanings are those of the code, and a remark adds what its reader may want to read next. */
import type { createProgram } from '@quadrille/cli';
import { variableOf } from '../../../packages/cli/src/serve/settings.js';
import { DEFAULT_SERVICE_LIMITS } from '../../../packages/server/src/host/options.js';
import { bytes, type Member, membersOf, number, table, time } from './code-tables.js';

/** Remarks by the name of the setting. */
const OF_SERVE: Readonly<Record<string, string>> = {
  host: 'For access from other machines, use `--tls-cert` or a proxy with https in front',
  tlsCert: 'See [Use https](../how-to/run-a-server.md#use-https)',
  advertise: 'See [several servers](../how-to/several-servers.md)',
  drainTimeout: 'See [Stop](../how-to/run-a-server.md#stop)',
  publicBase:
    'It is used in `Location`, in links, and in the names of direct graphs. Without it they have the host of the request and `--base-path`',
  open: 'Requests by another host name are 421, and pages of other sites get 403, unless `--cors` names their origins',
  rateLimit: '1,000 requests a second per account, or per address without a token, in bursts of 10,000',
  accessLog: 'See [Access log](../how-to/monitoring.md#access-log)',
  cors: 'Only those that are named may send HTTP Basic, or use a server without tokens',
  allow: 'See [What is refused](../how-to/reach-other-hosts.md#what-is-refused)',
  callback: 'Or prefixes of URLs, see [Callbacks](../how-to/load-large-files.md#callbacks)',
  context: 'As `https://schema.org=schemaorg.jsonld`, see [Contexts](formats.md#contexts-of-json-ld)',
  lenientProtocol: 'By POST. Without it the answer is 400 `NOT_A_QUERY`',
  requireIfMatch: '`If-None-Match: *` is enough',
  workbench: 'See [Workbench](../how-to/workbench.md)',
  maxConnections:
    'Beyond that, the connection with the longest idle time is closed. Requests without a token may use three quarters. Behind a proxy set both numbers of connections to the same',
  maxConnectionsPerAddress: 'Or from one IPv6 network',
  queryTimeout: 'See [Limits of queries](#limits-of-queries)',
  updateBytes: 'As a body, a form, a part of one, or in a transaction',
  trustProxy: 'The last address counts, for failed attempts',
  durability: 'See [Durability](../explanation/durability.md)',
  upgrade: 'See [Upgrade a store](../how-to/upgrade.md)',
  diskCache: 'See [A cache on the local disk](../how-to/s3.md#a-cache-on-the-local-disk)',
  repositoryBytes: 'The least recently used ones go first. Their next request reads them again',
  workers:
    'None with a heap of less than 1 GB, see [Use more than one core](../how-to/tune-queries.md#use-more-than-one-core)',
  limits: 'See [Limits of the service](#limits-of-the-service)',
};

const OF_OPEN: Readonly<Record<string, string>> = {
  durability:
    '`disk`: after `fsync`. `process`: it survives the end of the process, see [Durability](../explanation/durability.md)',
  diskCache: '`{ directory, bytes }`, see [A cache on the local disk](../how-to/s3.md#a-cache-on-the-local-disk)',
  workers: 'See [Use more than one core](../how-to/tune-queries.md#use-more-than-one-core)',
  upgrade: 'See [Upgrade a store](../how-to/upgrade.md)',
  federation: 'See [Reach other hosts](../how-to/reach-other-hosts.md)',
  queries:
    '`{ concurrency, queued, queueMs, timeoutMs, memoryBytes }`, see [Limit queries](../how-to/tune-queries.md#limit-queries)',
  functions: 'See [Functions of your own](../start/tour.md#functions-of-your-own)',
  signer: 'See [Prove a history](../how-to/prove-a-history.md)',
};

/** Sentences, each with its stop. */
const sentences = (...texts: readonly (string | undefined)[]): string =>
  texts
    .filter((text) => text !== undefined && text !== '')
    .map((text, index) => (index === 0 ? text! : text!.replace(/^[a-z]/, (letter) => letter.toUpperCase())))
    .join('. ')
    .replaceAll('.. ', '. ');

/** @throws Error for a remark on what is no name: it would be lost. */
function checkRemarks(remarks: Readonly<Record<string, string>>, names: readonly string[]): void {
  const stray = Object.keys(remarks).find((name) => !names.includes(name));
  if (stray !== undefined) throw new Error(`there is no setting ${stray}`);
}

type Program = ReturnType<typeof createProgram>;

function serveTable(program: Program): string {
  const serve = program.commands.find((command) => command.name() === 'serve')!;
  const settings = serve.options.filter(({ long }) => long !== '--json' && long !== '--config');
  checkRemarks(
    OF_SERVE,
    settings.map((option) => option.attributeName()),
  );
  const rows = settings.map((option) => {
    const name = option.attributeName();
    const { description, argChoices, long } = option;
    const words = argChoices === undefined ? undefined : argChoices.map((word) => `\`${word}\``).join(', ');
    const meaning = sentences(shown(description), words, OF_SERVE[name]);
    return [`\`${long!}\``, `\`${variableOf(name)}\``, `\`${name}\``, meaning];
  });
  return table(['option', 'environment', 'file', 'meaning'], rows);
}

/** Markup is text in a table. */
const shown = (text: string): string => text.replaceAll(/<\w+(?::\w+)?>/g, '`$&`').replaceAll('|', '\\|');

const optionRow = (remarks: Readonly<Record<string, string>>) => (member: Member) => [
  `\`${member.name}\``,
  member.byDefault,
  sentences(member.text.replace(/\.$/, ''), remarks[member.name]),
];

function openTable(): string {
  const options = membersOf('packages/quadrille/src/api/open-options.ts', 'OpenOptions');
  checkRemarks(
    OF_OPEN,
    options.map(({ name }) => name),
  );
  return table(['option', 'default', 'meaning'], options.map(optionRow(OF_OPEN)));
}

function serviceLimits(): string {
  const value = (name: string): string => {
    const found = DEFAULT_SERVICE_LIMITS[name as keyof typeof DEFAULT_SERVICE_LIMITS];
    if (/Bytes$|Memory$/.test(name)) return bytes(found);
    return name.endsWith('Ms') ? time(found) : number(found);
  };
  const members = membersOf('packages/server/src/host/options.ts', 'ServiceLimits');
  return table(
    ['limit', 'default', 'meaning'],
    members.map(({ name, text }) => [`\`${name}\``, value(name), text.replace(/\.$/, '')]),
  );
}

const connections = (): string =>
  table(
    ['limit of `serveNode`', 'default', 'effect'],
    membersOf('packages/server/src/node/connections.ts', 'ConnectionLimits').map(optionRow({})),
  );

const repositorySettings = (): string =>
  table(
    ['setting', 'meaning'],
    membersOf('packages/quadrille/src/api/repository-parts.ts', 'RepositorySettings')
      .filter(({ name }) => name !== 'shapesWarnings')
      .map(({ name, text }) => [`\`${name}\``, text.replace(/\.$/, '')]),
  );

export const settingsTables = (program: Program): Readonly<Record<string, () => string>> => ({
  'settings of serve': () => serveTable(program),
  'limits of the service': serviceLimits,
  'limits of connections': connections,
  'options of open': openTable,
  'settings of a repository': repositorySettings,
});

/** `quadrille merge --server`: merges a branch of a repository of a server. */
import { InvalidArgumentError } from '@quadrille/model';
import type { Conflict } from 'quadrille';
import { given } from '../options.js';
import { askJson, serverPath, type ServerOptions } from '../server/ask-server.js';
import { revisionOf, type RevisionRecord } from '../server/revision-record.js';
import type { Shell } from '../shell.js';
import { type MergeCommand, showPreview, showRevision } from './merge-command.js';

interface PreviewRecord {
  readonly base: RevisionRecord;
  readonly added: number;
  readonly removed: number;
  readonly conflictCount: number;
  readonly conflicts: readonly {
    readonly subject: string;
    readonly predicate: string;
    readonly graph: string | null;
    readonly base: readonly string[];
    readonly ours: readonly string[];
    readonly theirs: readonly string[];
  }[];
}

/** @throws InvalidArgumentError `INVALID_OPTION`; FetchError with the code of the server */
export async function mergeAtServer(
  shell: Shell,
  server: ServerOptions,
  source: string,
  options: MergeCommand,
): Promise<void> {
  const { author, durability, message, strategy, onConflict, fastForward, branch } = options;
  if (author !== undefined || durability !== undefined)
    throw new InvalidArgumentError('INVALID_OPTION', '--author and --durability do not go with --server');
  const preview = options.preview === true;
  const query = new URLSearchParams({ ...given({ branch }), ...(preview && { preview: '1' }) } as Record<
    string,
    string
  >);
  const request = {
    method: 'POST',
    path: `${serverPath(...options.repository.split('/'), 'branches', source, 'merge')}?${query.toString()}`,
    json: given({ message, strategy, onConflict, fastForward }),
    signal: shell.signal,
  };
  if (!preview) return showRevision(shell, revisionOf(await askJson<RevisionRecord>(server, request)), options);
  const { conflicts, base, ...counts } = await askJson<PreviewRecord>(server, request);
  const found = await conflictsOf(conflicts);
  await showPreview(shell, { ...counts, base: revisionOf(base), conflicts: found }, options);
}

async function conflictsOf(records: PreviewRecord['conflicts']): Promise<Conflict[]> {
  const { defaultGraph, parseTerm } = await import('quadrille');
  return records.map(({ subject, predicate, graph, base, ours, theirs }) => ({
    subject: parseTerm(subject),
    predicate: parseTerm(predicate),
    graph: graph === null ? defaultGraph() : parseTerm(graph),
    base: base.map(parseTerm),
    ours: ours.map(parseTerm),
    theirs: theirs.map(parseTerm),
  }));
}

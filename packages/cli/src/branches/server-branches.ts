/** `quadrille branch --server`: the branches of a repository of a server. */
import type { BranchInfo } from 'quadrille';
import { askJson, askServer, serverPath, type ServerOptions } from '../server/ask-server.js';
import { revisionOf, type RevisionRecord } from '../server/revision-record.js';
import { type BranchChange, deleted, renamed } from './branch-change.js';

interface BranchRecord {
  readonly name: string;
  readonly head: RevisionRecord;
  readonly fork?: RevisionRecord;
}

const branchOf = ({ name, head, fork }: BranchRecord): BranchInfo => ({
  name,
  head: revisionOf(head),
  ...(fork && { fork: revisionOf(fork) }),
});

/** @throws FetchError with the code of the server */
export async function listAtServer(server: ServerOptions, repository: string): Promise<BranchInfo[]> {
  const path = serverPath(...repository.split('/'), 'branches');
  return (await askJson<BranchRecord[]>(server, { method: 'GET', path })).map(branchOf);
}

/** The new branch, or what was done. @throws FetchError with the code of the server */
export async function changeAtServer(
  server: ServerOptions,
  repository: string,
  { name, what, from, to, force }: BranchChange,
): Promise<BranchInfo | string> {
  const path = serverPath(...repository.split('/'), 'branches', name);
  if (what === 'create') {
    const query = from === undefined ? '' : `?from=${encodeURIComponent(from)}`;
    return branchOf(await askJson<BranchRecord>(server, { method: 'PUT', path: path + query }));
  }
  if (what === 'delete') {
    await askServer(server, { method: 'DELETE', path: `${path}${force ? '?force=1' : ''}` });
    return deleted(name);
  }
  await askServer(server, { method: 'PATCH', path, json: { name: to } });
  return renamed(name, to!);
}

/** The remotes of a repository, kept beside the data. */
import type { Repository as CoreRepository } from '@quadrille/core';
import { isTagName } from '@quadrille/core';
import { InvalidArgumentError } from '@quadrille/model';
import type { NamedRemote, Remote } from '../api/index.js';
import { checkedAddress } from './http-remote.js';

const utf8 = new TextEncoder();
const fromUtf8 = new TextDecoder();

const read = (value: Uint8Array): Remote => ({ url: (JSON.parse(fromUtf8.decode(value)) as Remote).url });

export async function getRemote(core: CoreRepository, name: string): Promise<Remote | undefined> {
  const value = await core.remotes.get(checkedName(name));
  return value && read(value);
}

export async function setRemote(core: CoreRepository, name: string, remote: Remote): Promise<void> {
  checkedName(name);
  const url = checkedAddress(String((remote as Remote | undefined)?.url));
  await core.remotes.set(name, utf8.encode(JSON.stringify({ url })));
}

export const deleteRemote = async (core: CoreRepository, name: string): Promise<boolean> =>
  core.remotes.delete(checkedName(name));

export async function listRemotes(core: CoreRepository): Promise<readonly NamedRemote[]> {
  return Array.from(await core.remotes.list(), ([name, value]) => ({ name, ...read(value) }));
}

/** A name follows the rule of tags. */
function checkedName(name: string): string {
  if (typeof name === 'string' && isTagName(name)) return name;
  throw new InvalidArgumentError('INVALID_NAME', `not a name of a remote: ${JSON.stringify(name)}`);
}

/** Accounts. Only the operator can create them, with the command. */
import { accountRecord, type Caller } from '../../host/index.js';
import { RPC, RpcError } from '../calls/rpc-error.js';
import { method, type Parameter } from './method.js';

const ACCOUNT = {
  name: 'account',
  type: 'string',
  optional: true,
  doc: 'an account; empty for that of the caller',
} as const satisfies Parameter;

export const accountMethods = [
  method({
    names: ['DescribeAccount', 'dydra.account.info'],
    parameters: [ACCOUNT],
    result: 'struct',
    doc: '`name`, `fullname`, `created`, `repository_count`, and to the account itself its `email`.',
    right: 'account',
    async run({ service, caller }, [account]) {
      return { ...(await accountRecord(service, caller, ownerOf(account, caller))) };
    },
  }),
  method({
    names: ['ListRepositories', 'dydra.repository.list'],
    parameters: [ACCOUNT],
    result: 'array',
    doc: 'The repositories of an account that the caller may read, each as a pair of account and repository.',
    right: 'account',
    async run({ service, caller }, [account]) {
      const listed = await service.repositories.list(caller, ownerOf(account, caller));
      return listed.map(({ name }) => name.split('/'));
    },
  }),
];

/** The account that is named, else that of the caller. @throws RpcError for an operator, who has none */
function ownerOf(account: string, caller: Caller): string {
  const owner = account === '' ? caller.account : account;
  if (owner !== undefined) return owner;
  throw new RpcError(RPC.INVALID_PARAMS, 'name an account: you are the operator and have none');
}

/** Accounts. Making one is the operator's business. */
import { accountRecord } from '@quadrille/service';
import { method, type Parameter } from './method.js';
import { ownAccount } from './own-account.js';

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
      return { ...(await accountRecord(service, caller, account === '' ? ownAccount(caller) : account)) };
    },
  }),
  method({
    names: ['ListRepositories', 'dydra.repository.list'],
    parameters: [ACCOUNT],
    result: 'array',
    doc: 'The repositories of an account that the caller may read, each as a pair of account and repository.',
    right: 'account',
    async run({ service, caller }, [account]) {
      const owner = account === '' ? ownAccount(caller) : account;
      return (await service.repositories.list(caller, owner)).map(({ name }) => name.split('/'));
    },
  }),
];

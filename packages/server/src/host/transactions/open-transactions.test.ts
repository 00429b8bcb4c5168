import { EvaluationError } from '@quadrille/model';
import { open, type Repository } from 'quadrille';
import type { HeldTransaction } from 'quadrille/host';
import { expect, onTestFinished, test, vi } from 'vitest';
import { DEFAULT_SERVICE_LIMITS } from '../options.js';
import { hosted, OWNER } from '../testing/fixtures.js';
import { OpenTransactions } from './open-transactions.js';

const HOLDER = { repository: 'acme/people', account: 'jo' };
const UNKNOWN = { code: 'TRANSACTION_NOT_FOUND' };
const nothing = async (): Promise<void> => undefined;

async function people(): Promise<Repository> {
  const database = await open(':memory:');
  onTestFinished(() => database.close());
  return database.repository('acme/people', { create: true });
}

test('a transaction that nobody uses is rolled back; one in use is not', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const transactions = new OpenTransactions(DEFAULT_SERVICE_LIMITS, 50);
  const id = await transactions.begin(await people(), 'jo');
  await transactions.use(id, HOLDER, async (transaction) => {
    vi.advanceTimersByTime(150);
    expect(await transaction.size()).toBe(0);
  });
  vi.advanceTimersByTime(40);
  await transactions.use(id, HOLDER, nothing);
  vi.advanceTimersByTime(60);
  await expect(transactions.use(id, HOLDER, nothing)).rejects.toMatchObject(UNKNOWN);
});

test('a transaction belongs to the account that began it, and so many are open at most', async () => {
  const repository = await people();
  const transactions = new OpenTransactions(DEFAULT_SERVICE_LIMITS);
  const begun = await Promise.allSettled(Array.from({ length: 101 }, () => transactions.begin(repository, 'jo')));
  expect(begun.filter(({ status }) => status === 'rejected')).toMatchObject([{ reason: { code: 'RATE_LIMITED' } }]);
  const [first] = begun;
  const id = first?.status === 'fulfilled' ? first.value : '';
  await expect(transactions.use(id, { ...HOLDER, account: 'mo' }, nothing)).rejects.toMatchObject(UNKNOWN);
  await transactions.finish(id, HOLDER, (transaction) => transaction.rollback());
  await transactions.begin(repository, 'jo');
  await transactions.end();
});

test('bytes of a transaction that has ended do not count, however it ended', async () => {
  const repository = await people();
  const transactions = new OpenTransactions({
    ...DEFAULT_SERVICE_LIMITS,
    transactionBytes: 100,
    openTransactionsBytes: 150,
  });
  const hold = async (bytes: number): Promise<string> => {
    const id = await transactions.begin(repository, 'jo');
    await transactions.holding(id, HOLDER, async (count) => count(bytes));
    return id;
  };
  for (const end of ['finish', 'end', 'while held'] as const) {
    const id = await hold(90);
    await expect(hold(90)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    await expect(transactions.holding(id, HOLDER, async (count) => count(20))).rejects.toMatchObject({
      code: 'INPUT_TOO_LARGE',
    });
    if (end === 'finish') await transactions.finish(id, HOLDER, nothing);
    else if (end === 'end') await transactions.end(repository);
    else {
      const held = transactions.holding(id, HOLDER, async (count) => {
        count(5);
        await transactions.end(repository);
        throw new Error('the document breaks off');
      });
      await expect(held).rejects.toThrow('breaks off');
    }
    await transactions.end();
  }
});

test('staged changes have so much memory; the transaction that takes more is rolled back', async () => {
  const repository = await people();
  const transactions = new OpenTransactions({ ...DEFAULT_SERVICE_LIMITS, openTransactionsMemory: 2_000_000 });
  const insert = (count: number) => async (transaction: HeldTransaction) => {
    const rows = Array.from({ length: count }, (_, i) => `<urn:s${String(i)}> <urn:p> "object ${String(i)}"`);
    await transaction.update(`INSERT DATA { ${rows.join(' . ')} }`);
  };
  const [first, second] = [await transactions.begin(repository, 'jo'), await transactions.begin(repository, 'jo')];
  await transactions.use(first, HOLDER, insert(1000));
  await expect(transactions.use(second, HOLDER, insert(20_000))).rejects.toMatchObject({ code: 'INPUT_TOO_LARGE' });
  await expect(transactions.use(second, HOLDER, nothing)).rejects.toMatchObject(UNKNOWN);
  await transactions.use(first, HOLDER, insert(2000));
  await transactions.finish(first, HOLDER, (transaction) => transaction.commit());
  const third = await transactions.begin(repository, 'jo');
  await transactions.use(third, HOLDER, insert(1500));
  await transactions.end();
  expect(await repository.size()).toBe(2000);
});

test('where the process has no memory for more changes, the transaction that needs it is rolled back', async () => {
  const repository = await people();
  const transactions = new OpenTransactions(DEFAULT_SERVICE_LIMITS);
  const id = await transactions.begin(repository, 'jo');
  const insert = transactions.use(id, HOLDER, async (open) => {
    await open.update('INSERT DATA { <urn:s> <urn:p> 1 }');
    throw new EvaluationError('QUERY_MEMORY', 'no more changes', { details: { transactionBytes: 1 } });
  });
  await expect(insert).rejects.toMatchObject({ code: 'INPUT_TOO_LARGE', cause: { code: 'QUERY_MEMORY' } });
  await expect(transactions.use(id, HOLDER, nothing)).rejects.toMatchObject(UNKNOWN);
  expect(await repository.size()).toBe(0);
});

test('the transactions of a repository end with it, those of others go on', async () => {
  const service = await hosted();
  const { transactions, repositories } = service;
  await repositories.create(OWNER, 'acme', { name: 'other' });
  const repository = await service.rights.open(OWNER, 'acme/people', 'write');
  const id = await transactions.begin(repository, 'acme');
  const other = await transactions.begin(await service.rights.open(OWNER, 'acme/other', 'write'), 'acme');
  const holder = { repository: 'acme/people', account: 'acme' };
  await repositories.remove(OWNER, 'acme/people');
  await repositories.create(OWNER, 'acme', { name: 'people' });
  await expect(transactions.use(id, holder, nothing)).rejects.toMatchObject(UNKNOWN);
  await transactions.use(other, { ...holder, repository: 'acme/other' }, nothing);
});

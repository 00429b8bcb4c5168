/** Random commits, branches, merges, picks and reopenings against a graph of sets: every state is what the model says. */
import { describe, expect, test } from 'vitest';
import { MemoryDriver } from '@quadrille/storage';
import type { Repository } from '../repository.js';
import { asyncDriver, contents, openRepository, q, randomInts, SMALL } from '../testing/fixture.js';

const seed = Number(process.env['QUADRILLE_SEED'] ?? 3);
const STEPS = 44;

type State = ReadonlySet<string>;

/** A revision of the model. */
interface Node {
  readonly parents: readonly Node[];
  readonly state: State;
}

const setOf = (texts: Iterable<string>): State => new Set(texts);
const minus = (x: State, y: State): string[] => [...x].filter((text) => !y.has(text));
const threeWay = (ours: State, base: State, theirs: State): State =>
  setOf([...minus(ours, setOf(minus(base, theirs))), ...minus(theirs, base)]);

function ancestors(node: Node, found = new Set<Node>()): Set<Node> {
  if (found.has(node)) return found;
  found.add(node);
  for (const parent of node.parents) ancestors(parent, found);
  return found;
}

function firstParents(node: Node): Set<Node> {
  const found = new Set<Node>();
  for (let at: Node | undefined = node; at !== undefined; [at] = at.parents) found.add(at);
  return found;
}

/** The newest common ancestors. */
function bases(x: Node, y: Node): Node[] {
  const [ofX, ofY] = [ancestors(x), ancestors(y)];
  const shared = [...ofX].filter((node) => ofY.has(node));
  return shared.filter((node) => !shared.some((other) => other !== node && ancestors(other).has(node)));
}

/** The content of the base of a merge; `undefined` if there are more than two, whose sequence would matter. */
function baseOf(x: Node, y: Node): State | undefined {
  const [first, second, ...more] = bases(x, y);
  if (second === undefined) return first!.state;
  const below = baseOf(first!, second);
  if (more.length > 0 || below === undefined) return undefined;
  const all = setOf([...first!.state, ...second.state]);
  return setOf(
    [...all, ...below].filter((text) => {
      const [a, b] = [first!.state.has(text), second.state.has(text)];
      return a === b ? a : !below.has(text);
    }),
  );
}

describe.each([
  ['synchronous', () => new MemoryDriver()],
  ['asynchronous', asyncDriver],
])('merges over %s storage', (_, newDriver) => {
  test(`every state equals the model, with seed ${seed}`, async () => {
    const random = randomInts(seed);
    const driver = newDriver();
    let opened = await openRepository(driver, { tuning: SMALL });
    const heads = new Map<string, Node>([['main', { parents: [], state: new Set<string>() }]]);
    const any = (): string => [...heads.keys()][random(0, heads.size)]!;
    const at = async (name: string): Promise<Repository> => (await opened.repository.lines()).branch(name);
    let merges = 0;
    let crosswise = 0;
    let forwards = 0;
    for (let step = 0; step < STEPS; step++) {
      const name = any();
      const head = heads.get(name)!;
      const kind = random(0, 20);
      const repository = await at(name);
      if (kind < 8) {
        const added = Array.from({ length: random(1, 12) }, () => `s${random(0, 30)} p o${random(0, 2)}`);
        const removed = [...head.state].filter(() => random(0, 5) === 0);
        const before = repository.head.number;
        const { number } = await repository.commit(added.map(q), removed.map(q));
        const state = setOf([...minus(head.state, setOf(removed)), ...added]);
        if (number > before) heads.set(name, { parents: [head], state });
      } else if (kind < 11 && heads.size < 6) {
        const made = `b${step}`;
        const record = await repository.resolve('HEAD');
        await (await opened.repository.branches()).create(made, { keyspace: repository.handle.keyspace, record });
        heads.set(made, head);
      } else if (kind < 17) {
        const ahead = [...heads.keys()].filter((each) => each !== name && firstParents(heads.get(each)!).has(head));
        const other = ahead.length > 0 && random(0, 3) > 0 ? ahead[random(0, ahead.length)]! : any();
        const theirs = heads.get(other)!;
        const isMerged = ancestors(head).has(theirs);
        const base = isMerged ? head.state : baseOf(head, theirs);
        if (base === undefined || other === name) continue;
        if (!isMerged && bases(head, theirs).length > 1) crosswise++;
        const before = repository.head.number;
        const fastForward = random(0, 4) > 0;
        const { number, kind: made, parents } = await repository.merge(other, { fastForward });
        if (fastForward && !isMerged && firstParents(theirs).has(head)) {
          forwards++;
          expect(repository.revision).toEqual((await at(other)).revision);
          heads.set(name, theirs);
          continue;
        }
        expect(number).toBe(isMerged ? before : before + 1);
        if (isMerged) continue;
        merges++;
        expect([made, parents.length]).toEqual(['merge', 2]);
        heads.set(name, { parents: [head, theirs], state: threeWay(head.state, base, theirs.state) });
      } else if (kind < 19) {
        await opened.store.close();
        opened = await openRepository(driver, { tuning: SMALL });
      } else if (random(0, 2) === 0) await repository.maintenance.compact();
      else
        await repository.maintenance.trim({
          last: 1,
          deleteHistory: false,
          dryRun: false,
          attest: async () => new Map(),
        });
      for (const checked of [name, any()])
        expect(await contents(await at(checked)), `step ${step}, ${checked}`).toEqual(
          [...heads.get(checked)!.state].toSorted(),
        );
    }
    expect((await opened.repository.maintenance.verify()).problems).toEqual([]);
    process.stdout.write(`merges: ${merges}, of them crosswise: ${crosswise}; fast-forwards: ${forwards}\n`);
    expect(merges + forwards).toBeGreaterThan(0);
    await opened.store.close();
  });
});

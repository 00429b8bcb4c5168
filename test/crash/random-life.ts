/** A short random life of a store as steps: operations that a model follows, maintenance, names, and new openings. */
import { applied, below, randomOperation, vocabulary } from '../model/operations.mjs';
import type { Operation, Random, State } from '../model/operations.mjs';
import { operation, STEPS } from './scenario.js';
import type { Step } from './scenario.js';

const stepOf = (name: string): Step => STEPS.find((step) => step.name === name)!;

const tag = (name: string, number: number): Step => ({
  name: `tag ${name}`,
  run: async (life) => {
    const repository = await life.repository();
    await repository.tags.set(name, (await repository.resolve(Math.min(number, repository.head.number))).id);
  },
  expect: (seen) => ({ ...seen, tags: new Map([...seen.tags, [name, Math.min(number, seen.states!.length - 1)]]) }),
});

/** Failures before it may have left fewer revisions than were planned. */
function change(name: string, what: Operation): Step {
  const within = (head: number): Step =>
    operation(name, what.kind === 'revert' ? { ...what, number: Math.min(what.number, head) } : what);
  return {
    name,
    run: async (life) => within((await life.repository()).head.number).run(life),
    expect: (seen) => within(seen.states!.length - 1).expect(seen),
  };
}

/** From the making of the repository to its end. */
export function randomSteps(random: Random): Step[] {
  const words = vocabulary(random, { long: random() < 0.05 });
  const states: State[] = [new Set(), new Set()];
  const steps = [stepOf('create')];
  for (let n = 0, count = 4 + below(random, 12); n < count; n++) {
    const chance = random();
    if (chance < 0.75) {
      const what = randomOperation(random, words, states, 30);
      steps.push(change(`step ${n}`, what));
      const next = applied(states, what, `step-${n}`);
      if (next !== states.at(-1)) states.push(next);
    } else if (chance < 0.82) steps.push(stepOf('compact'));
    else if (chance < 0.86) steps.push(stepOf('rebuild'));
    else if (chance < 0.92) steps.push(stepOf('reopen'));
    else if (chance < 0.95) steps.push(stepOf('namespace'));
    else steps.push(tag(`t${n}`, 1 + below(random, states.length - 1)));
  }
  if (random() < 0.15) steps.push(stepOf('delete'));
  return [...steps, stepOf('close')];
}

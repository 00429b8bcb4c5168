/** A registry of software: packages, their versions, what these depend on, who maintains them, and reports of faults as blank nodes. */
import type { Random } from '../generate/random.js';
import { iri, NAMESPACE, quad, skewed, text, typed } from '../shapes/shape.js';
import { day, two } from './network.js';
import type { QuestionSet } from './question-set.js';
import { REGISTRY_QUESTIONS } from './registry-questions.js';

const PEOPLE = 900;
const TEAMS = 40;
const LICENCES = ['mit', 'apache', 'bsd', 'gpl', 'mpl', 'own'];
const TOPICS = 60;

export const REGISTRY: QuestionSet = {
  name: 'registry',
  size: 3000,
  *quads(draw, packages) {
    for (let n = 0; n < TOPICS; n++) {
      yield quad(`topic${n}`, 'type', iri('Topic'));
      yield quad(`topic${n}`, 'label', `"topic ${n}"@en`);
      if (draw.chance(0.5)) yield quad(`topic${n}`, 'label', `"Thema ${n}"@de`);
      if (n > 0) yield quad(`topic${n}`, 'partOf', iri(`topic${draw.below(n)}`));
    }
    for (let n = 0; n < PEOPLE; n++) {
      yield quad(`dev${n}`, 'type', iri('Developer'));
      yield quad(`dev${n}`, 'handle', text(`user_${n}`));
      if (draw.chance(0.7)) yield quad(`dev${n}`, 'team', iri(`team${skewed(draw, TEAMS)}`));
      if (draw.chance(0.4)) yield quad(`dev${n}`, 'mail', text(`u${n}@${draw.pick(['a', 'b', 'c'])}.example`));
      if (draw.chance(0.3)) yield quad(`dev${n}`, 'follows', iri(`dev${skewed(draw, PEOPLE)}`));
    }
    for (let n = 0; n < packages; n++) yield* packageOf(draw, n);
  },
  questions: REGISTRY_QUESTIONS,
};

function* packageOf(draw: Random, n: number): Generator<string> {
  const id = `pkg${n}`;
  yield quad(id, 'type', iri('Package'));
  yield quad(id, 'label', text(`lib-${draw.below(500)}-${n}`));
  yield quad(id, 'licence', iri(draw.pick(LICENCES)));
  yield quad(id, 'topic', iri(`topic${skewed(draw, TOPICS)}`));
  if (draw.chance(0.4)) yield quad(id, 'topic', iri(`topic${draw.below(TOPICS)}`));
  yield quad(id, 'owner', iri(`dev${skewed(draw, PEOPLE)}`));
  for (let more = draw.below(3); more > 0; more--) yield quad(id, 'maintainer', iri(`dev${draw.below(PEOPLE)}`));
  if (draw.chance(0.02)) yield quad(id, 'abandoned', typed('true', 'boolean'));
  if (draw.chance(0.6)) yield quad(id, 'home', `<https://lib${n}.example/>`);
  const versions = 1 + skewed(draw, 16);
  for (let v = 0; v < versions; v++) {
    const version = `v${n}_${v}`;
    yield quad(id, 'version', iri(version));
    yield quad(version, 'type', iri('Version'));
    yield quad(version, 'number', text(`1.${v}.${draw.below(9)}`));
    yield quad(version, 'released', typed(day(draw, 2016 + (v >> 1), 2017 + (v >> 1)), 'date'));
    yield quad(version, 'bytes', draw.between(1000, 2_000_000));
    yield quad(version, 'score', typed(draw.next().toFixed(4), 'double'));
    if (v > 0) yield quad(version, 'after', iri(`v${n}_${v - 1}`));
    if (draw.chance(0.05)) yield quad(version, 'yanked', typed('true', 'boolean'));
    for (let uses = n === 0 ? 0 : draw.below(5); uses > 0; uses--)
      yield quad(version, 'uses', iri(`pkg${draw.chance(0.5) ? skewed(draw, n) : draw.below(n)}`));
    if (draw.chance(0.15)) yield* report(draw, `_:fault${n}_${v}`, version);
  }
}

/** A report is a blank node. */
function* report(draw: Random, id: string, version: string): Generator<string> {
  const line = (p: string, o: string): string => `${id} <${NAMESPACE}${p}> ${o} .\n`;
  yield line('affects', iri(version));
  yield line('severity', typed((draw.between(10, 100) / 10).toFixed(1), 'decimal'));
  yield line('found', typed(`${day(draw, 2019, 2024)}T${two(draw.below(24))}:${two(draw.below(60))}:00Z`, 'dateTime'));
  yield line('reporter', iri(`dev${draw.below(PEOPLE)}`));
  if (draw.chance(0.3)) yield line('fixedIn', iri(version.replace(/\d+$/, (v) => String(Number(v) + 1))));
}

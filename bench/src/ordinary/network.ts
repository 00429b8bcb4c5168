/** A network of people in cities and companies, who know each other and write posts. */
import type { Random } from '../generate/random.js';
import { iri, quad, skewed, text, typed } from '../shapes/shape.js';
import { NETWORK_QUESTIONS } from './network-questions.js';
import type { QuestionSet } from './question-set.js';

const CITIES = 50;
const COMPANIES = 200;
const COUNTRIES = 12;
const TAGS = 80;
const KNOWN = 8;
const POSTS = 2;

export const NETWORK: QuestionSet = {
  name: 'network',
  size: 20_000,
  *quads(draw, people) {
    for (let n = 0; n < COUNTRIES; n++) yield quad(`country${n}`, 'label', text(`Country ${n}`));
    for (let n = 0; n < CITIES; n++) {
      yield quad(`city${n}`, 'label', text(`City ${n}`));
      yield quad(`city${n}`, 'country', iri(`country${n % COUNTRIES}`));
      yield quad(`city${n}`, 'population', draw.between(5_000, 4_000_000));
    }
    for (let n = 0; n < COMPANIES; n++) {
      yield quad(`company${n}`, 'type', iri('Company'));
      yield quad(`company${n}`, 'label', text(`Company ${n}`));
      yield quad(`company${n}`, 'seat', iri(`city${skewed(draw, CITIES)}`));
    }
    for (let n = 0; n < people; n++) yield* person(draw, n, people);
    for (let n = 0; n < people * POSTS; n++) yield* post(draw, n, people);
  },
  questions: NETWORK_QUESTIONS,
};

function* person(draw: Random, n: number, people: number): Generator<string> {
  const id = `person${n}`;
  yield quad(id, 'type', iri('Person'));
  yield quad(id, 'name', text(n === 7 ? 'Ada Lovelace' : `First${draw.below(100)} Last${draw.below(200)}`));
  yield quad(id, 'city', iri(`city${skewed(draw, CITIES)}`));
  yield quad(id, 'age', draw.between(16, 90));
  yield quad(id, 'born', typed(day(draw, 1934, 2008), 'date'));
  yield quad(
    id,
    'joined',
    typed(`${day(draw, 2015, 2024)}T${two(draw.below(24))}:${two(draw.below(60))}:00Z`, 'dateTime'),
  );
  if (n % 3 === 0) yield quad(id, 'email', text(`p${n}@example.org`));
  if (n % 1000 === 7) yield quad(id, 'award', iri('nobel'));
  if (draw.chance(0.05)) yield quad(id, 'award', iri(`prize${draw.below(20)}`));
  if (draw.chance(0.6)) yield quad(id, 'worksFor', iri(`company${skewed(draw, COMPANIES)}`));
  if (n > 0 && draw.chance(0.9)) yield quad(id, 'reportsTo', iri(`person${draw.below(n)}`));
  for (let k = 0; k < KNOWN; k++) {
    yield quad(id, 'knows', iri(`person${draw.chance(0.3) ? skewed(draw, people) : draw.below(people)}`));
  }
}

function* post(draw: Random, n: number, people: number): Generator<string> {
  const id = `post${n}`;
  yield quad(id, 'type', iri('Post'));
  yield quad(id, 'creator', iri(`person${draw.below(people)}`));
  yield quad(id, 'title', text(`Post ${n} about Topic${draw.below(300)}`));
  yield quad(
    id,
    'created',
    typed(`${day(draw, 2020, 2024)}T${two(draw.below(24))}:${two(draw.below(60))}:${two(draw.below(60))}Z`, 'dateTime'),
  );
  yield quad(id, 'likes', skewed(draw, 500));
  for (let tags = draw.below(3); tags > 0; tags--) yield quad(id, 'tag', iri(`tag${skewed(draw, TAGS)}`));
  if (n > 0 && draw.chance(0.3)) yield quad(id, 'replyOf', iri(`post${draw.below(n)}`));
}

export const two = (value: number): string => String(value).padStart(2, '0');
/** A date within years, both included. */
export const day = (draw: Random, first: number, last: number): string =>
  `${draw.between(first, last)}-${two(draw.between(1, 12))}-${two(draw.between(1, 28))}`;

/** A vocabulary: a tree of concepts with labels in five languages. */
import { DICTIONARY } from '../generate/words.js';
import { iri, quad, text } from '../shapes/shape.js';
import type { QuestionSet } from './question-set.js';
import { VOCABULARY_QUESTIONS } from './vocabulary-questions.js';

const SCHEMES = 8;
/** Languages, and the share of concepts that have a label in it. */
const LANGUAGES = { en: 1, de: 0.8, fr: 0.6, es: 0.4, it: 0.2 };

export const VOCABULARY: QuestionSet = {
  name: 'vocabulary',
  size: 10_000,
  *quads(draw, concepts) {
    for (let n = 0; n < SCHEMES; n++) yield quad(`scheme${n}`, 'title', `"Scheme ${n}"@en`);
    for (let n = 0; n < concepts; n++) {
      const concept = `concept${n}`;
      yield quad(concept, 'type', iri('Concept'));
      yield quad(concept, 'notation', text(`${n % SCHEMES}.${n}`));
      yield quad(concept, 'inScheme', iri(`scheme${n % SCHEMES}`));
      if (n >= SCHEMES) yield quad(concept, 'broader', iri(`concept${draw.below(Math.ceil(n / 4))}`));
      else yield quad(concept, 'topOf', iri(`scheme${n}`));
      for (const [language, share] of Object.entries(LANGUAGES)) {
        const word = draw.pick(DICTIONARY);
        const label = n === 11 ? 'bicycle' : word;
        if (n < 20 || draw.chance(share)) yield quad(concept, 'prefLabel', `"${label}"@${language}`);
        if (draw.chance(share / 3)) yield quad(concept, 'altLabel', `"${draw.pick(DICTIONARY)} ${word}"@${language}`);
      }
      if (draw.chance(0.5))
        yield quad(concept, 'definition', `"About ${draw.pick(DICTIONARY)} and ${draw.pick(DICTIONARY)}"@en`);
      if (draw.chance(0.4)) yield quad(concept, 'related', iri(`concept${draw.below(concepts)}`));
      if (draw.chance(0.2)) yield quad(concept, 'exactMatch', `<http://other.example/c${draw.below(concepts)}>`);
      if (draw.chance(0.03)) yield quad(concept, 'deprecated', '"true"^^<http://www.w3.org/2001/XMLSchema#boolean>');
    }
  },
  questions: VOCABULARY_QUESTIONS,
};

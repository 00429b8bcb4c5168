/** Products as sources delivered them: each delivery is a named graph, and the default graph says where it comes from. */
import { iri, quad, skewed, text, typed } from '../shapes/shape.js';
import { CATALOGUE_FOR_OXIGRAPH, CATALOGUE_QUESTIONS } from './catalogue-questions.js';
import { day } from './network.js';
import type { QuestionSet } from './question-set.js';

const SOURCES = 40;
const CATEGORIES = 120;
const MAKERS = 60;
/** Products of a delivery. Three deliveries in a row share some. */
const DELIVERED = 12;

export const CATALOGUE: QuestionSet = {
  name: 'catalogue',
  size: 2000,
  *quads(draw, graphs) {
    for (let n = 0; n < SOURCES; n++) {
      yield quad(`source${n}`, 'label', text(`Source ${n}`));
      yield quad(`source${n}`, 'trust', typed((draw.between(0, 100) / 100).toFixed(2), 'double'));
    }
    for (let n = 1; n < CATEGORIES; n++)
      yield quad(`category${n}`, 'broader', iri(`category${draw.below(n)}`), 'categories');
    for (let n = 0; n < CATEGORIES; n++) yield quad(`category${n}`, 'label', text(`Category ${n}`), 'categories');
    for (let n = 0; n < graphs; n++) {
      const graph = `delivery${n}`;
      yield quad(graph, 'source', iri(`source${n % SOURCES}`));
      yield quad(graph, 'retrieved', typed(`${day(draw, 2019, 2024)}T12:00:00Z`, 'dateTime'));
      yield quad(graph, 'licence', iri(`licence${skewed(draw, 5)}`));
      if (n >= SOURCES && draw.chance(0.5)) yield quad(graph, 'replaces', iri(`delivery${n - SOURCES}`));
      for (let at = 0; at < DELIVERED; at++) {
        const product = `product${n * 4 + at}`;
        yield quad(product, 'type', iri('Product'), graph);
        yield quad(product, 'label', text(`Product ${n * 4 + at}`), graph);
        yield quad(product, 'category', iri(`category${draw.below(CATEGORIES)}`), graph);
        yield quad(product, 'maker', iri(`maker${skewed(draw, MAKERS)}`), graph);
        yield quad(product, 'price', typed((draw.between(100, 99_999) / 100).toFixed(2), 'decimal'), graph);
        if (draw.chance(0.3)) yield quad(product, 'note', text(`note ${draw.below(500)}`), graph);
        if (draw.chance(0.1)) yield quad(product, 'withdrawn', typed('true', 'boolean'), graph);
        if (draw.chance(0.4)) yield quad(product, 'similarTo', iri(`product${draw.below(graphs * 4)}`), graph);
      }
    }
  },
  questions: CATALOGUE_QUESTIONS,
  forOxigraph: CATALOGUE_FOR_OXIGRAPH,
};

/** A catalogue with very many properties, of which each product has few. */
import { iri, quad, text, type Shape } from './shape.js';

const PRODUCTS = 8000;
const PROPERTIES = 150;

export const sparseCatalogue: Shape = {
  name: 'catalogue',
  *quads(draw) {
    for (let i = 0; i < PRODUCTS; i++) {
      const product = `product${i}`;
      yield quad(product, 'type', iri(`Type${draw.below(60)}`));
      yield quad(product, 'title', text(`Product ${i}`));
      yield quad(product, 'price', draw.between(1, 5000));
      yield quad(product, 'maker', iri(`maker${draw.below(300)}`));
      const own = draw.between(1, 9);
      for (let k = 0; k < own; k++) yield quad(product, `prop${draw.below(PROPERTIES)}`, text(`v${draw.below(40)}`));
      if (draw.chance(0.1)) yield quad(product, 'replacedBy', iri(`product${draw.below(PRODUCTS)}`));
    }
    for (let i = 0; i < 300; i++) yield quad(`maker${i}`, 'land', iri(`land${i % 20}`));
    for (let i = 0; i < PROPERTIES; i++) yield quad(`prop${i}`, 'group', iri(`group${i % 12}`));
  },
  templates: {
    'all of one': (d) => `SELECT ?p ?o { :product${d.below(PRODUCTS)} ?p ?o }`,
    'two rare properties': (d) => `SELECT ?x { ?x :prop${d.below(PROPERTIES)} ?a ; :prop${d.below(PROPERTIES)} ?b }`,
    'star with a value': (d) =>
      `SELECT ?t ?c { ?x :prop${d.below(PROPERTIES)} "v${d.below(40)}" ; :title ?t ; :price ?c ; :maker ?m }`,
    'four optionals': (d) =>
      `SELECT * { ?x :type :Type${d.below(60)} ${[1, 2, 3, 4].map((n) => `OPTIONAL { ?x :prop${d.below(PROPERTIES)} ?o${n} }`).join(' ')} }`,
    'optionals with limit': (d) =>
      `SELECT * { ?x :title ?t OPTIONAL { ?x :prop${d.below(PROPERTIES)} ?a } OPTIONAL { ?x :replacedBy ?r . ?r :title ?rt } } LIMIT 10`,
    'optional to join': (d) =>
      `SELECT ?x ?a { ?x :title ?t OPTIONAL { ?x :prop${d.below(PROPERTIES)} ?a } FILTER(?a = "v${d.below(40)}") }`,
    'properties of a group': (d) =>
      `SELECT ?x ?p ?o { ?p :group :group${d.below(12)} . ?x :type :Type${d.below(60)} ; ?p ?o }`,
    'price range': (d) => {
      const from = d.below(4900);
      return `SELECT ?x ?c { ?x :price ?c FILTER(?c >= ${from} && ?c < ${from + 40}) }`;
    },
    'either of two': (d) => `SELECT ?x { ?x :type ?t FILTER(?t = :Type${d.below(60)} || ?t = :Type${d.below(60)}) }`,
    'in list': (d) =>
      `SELECT ?x ?m { ?x :maker ?m FILTER(?m IN (:maker${d.below(150)}, :maker${d.between(150, 299)})) }`,
    cheapest: (d) => `SELECT ?x ?c { ?x :maker :maker${d.below(300)} ; :price ?c } ORDER BY ?c ?x LIMIT 3`,
    'same property elsewhere': (d) => `SELECT ?y { :product${d.below(PRODUCTS)} ?p ?v . ?y ?p ?v } LIMIT 50`,
    'constant bind': (d) => `SELECT ?x ?t { BIND(:Type${d.below(60)} AS ?k) ?x :type ?k ; :title ?t }`,
    'always true': (d) => `SELECT ?x { ?x :maker :maker${d.below(300)} FILTER(1 + 1 = 2) }`,
    'never true': (d) => `SELECT ?x { ?x :title ?t ; :price ?c FILTER(1 = 2 || ?c < -${d.between(1, 9)}) }`,
    'by land': (d) =>
      `SELECT ?l (AVG(?c) AS ?a) { ?x :type :Type${d.below(60)} ; :price ?c ; :maker ?m . ?m :land ?l } GROUP BY ?l`,
    'sub-select behind a pattern': (d) =>
      `SELECT ?x ?t { ?x :prop${d.below(PROPERTIES)} "v${d.below(40)}" { SELECT ?x ?t { ?x :title ?t ; :price ?c } } }`,
    'count behind a pattern': (d) =>
      `SELECT ?m ?n { :product${d.below(PRODUCTS)} :maker ?m { SELECT ?m (COUNT(*) AS ?n) { ?x :maker ?m } GROUP BY ?m } }`,
    'union of properties': (d) =>
      `SELECT ?x ?v { ?x :type :Type${d.below(60)} { ?x :prop${d.below(PROPERTIES)} ?v } UNION { ?x :prop${d.below(PROPERTIES)} ?v } }`,
    'without either': (d) =>
      `SELECT ?x { ?x :type :Type${d.below(60)} MINUS { ?x :replacedBy ?r } FILTER NOT EXISTS { ?x :prop${d.below(PROPERTIES)} ?v } }`,
  },
};

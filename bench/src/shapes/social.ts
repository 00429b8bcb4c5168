/** A social graph in which few people have most of the followers. */
import { iri, quad, skewed, text, typed, type Shape } from './shape.js';

const PEOPLE = 6000;
const CITIES = 200;
const POSTS = 8000;

export const social: Shape = {
  name: 'social',
  *quads(draw) {
    for (let i = 0; i < PEOPLE; i++) {
      const person = `person${i}`;
      yield quad(person, 'type', iri('Person'));
      yield quad(person, 'name', text(`Name ${i}`));
      yield quad(person, 'city', iri(`city${skewed(draw, CITIES)}`));
      if (draw.chance(0.3)) yield quad(person, 'mail', text(`p${i}@example.org`));
      if (draw.chance(0.02)) yield quad(person, 'blocked', typed('true', 'boolean'));
      yield quad(person, 'age', draw.between(14, 90));
      const known = draw.between(0, 10);
      for (let k = 0; k < known; k++) yield quad(person, 'follows', iri(`person${skewed(draw, PEOPLE)}`));
    }
    for (let i = 0; i < CITIES; i++) yield quad(`city${i}`, 'country', iri(`country${i % 15}`));
    for (let i = 0; i < POSTS; i++) {
      yield quad(`post${i}`, 'author', iri(`person${skewed(draw, PEOPLE)}`));
      yield quad(
        `post${i}`,
        'date',
        typed(`20${draw.between(10, 25)}-0${draw.between(1, 9)}-1${draw.below(10)}`, 'date'),
      );
      const likes = skewed(draw, 12);
      for (let k = 0; k < likes; k++) yield quad(`person${draw.below(PEOPLE)}`, 'likes', iri(`post${i}`));
      if (draw.chance(0.2)) yield quad(`post${i}`, 'replyOf', iri(`post${skewed(draw, POSTS)}`));
    }
  },
  templates: {
    'friends of friends': (d) => `SELECT DISTINCT ?b { :person${d.below(PEOPLE)} :follows/:follows ?b }`,
    followers: (d) => `SELECT ?a ?n { ?a :follows :person${d.below(50)} ; :name ?n }`,
    'optional limit': (d) =>
      `SELECT ?a ?n ?m { ?a :type :Person ; :name ?n OPTIONAL { ?a :mail ?m } } LIMIT ${d.between(5, 20)}`,
    'optional group limit': (d) =>
      `SELECT ?a ?p ?d { ?a :type :Person OPTIONAL { ?p :author ?a . ?p :date ?d } } LIMIT ${d.between(5, 20)}`,
    'not exists limit': (d) =>
      `SELECT ?a { ?a :type :Person FILTER NOT EXISTS { ?p :author ?a . ?p :replyOf ?q } } LIMIT ${d.between(5, 20)}`,
    'minus limit': (d) =>
      `SELECT ?a { ?a :type :Person MINUS { ?a :mail ?m . ?a :blocked true } } LIMIT ${d.between(5, 20)}`,
    rename: (d) => `SELECT ?x ?n { BIND(:person${d.below(PEOPLE)} AS ?a) ?a :follows ?b BIND(?b AS ?x) ?x :name ?n }`,
    'rename of many': (d) => `SELECT (COUNT(*) AS ?c) { ?a :city :city${d.below(10)} BIND(?a AS ?x) ?x :follows ?y }`,
    'union seeded': (d) =>
      `SELECT ?y { :person${d.below(PEOPLE)} :follows ?x { ?x :likes ?y } UNION { ?y :author ?x } }`,
    'sub-select seeded': (d) =>
      `SELECT ?a ?c { ?a :city :city${d.between(100, 199)} { SELECT ?a (COUNT(?b) AS ?c) { ?a :follows ?b } GROUP BY ?a } }`,
    triangle: (d) =>
      `SELECT ?b ?c { :person${d.below(300)} :follows ?b . ?b :follows ?c . ?c :follows :person${d.below(20)} }`,
    'celebrity count': (d) =>
      `SELECT (COUNT(*) AS ?c) { ?a :follows :person${d.below(5)} . ?a :city ?t . ?t :country :country${d.below(15)} }`,
    'exists ask': (d) => `ASK { ?a :follows :person${d.below(PEOPLE)} . ?a :blocked true }`,
    'reachable from': (d) => `SELECT (COUNT(*) AS ?c) { :person${d.below(PEOPLE)} :follows+ ?x . ?x :blocked true }`,
    'values join': (d) =>
      `SELECT ?a ?n { VALUES ?a { :person${d.below(PEOPLE)} :person${d.below(PEOPLE)} :person${d.below(PEOPLE)} } ?a :name ?n . ?a :follows ?b }`,
    'equal filter': (d) => `SELECT ?a ?b { ?a :follows ?b . ?b :name ?n FILTER(?n = "Name ${d.below(PEOPLE)}") }`,
    'distinct exists': (d) =>
      `SELECT DISTINCT ?t { ?a :city ?t FILTER EXISTS { ?a :follows ?b . ?b :age ${d.between(14, 90)} } }`,
    'top authors': (d) =>
      `SELECT ?a (COUNT(?p) AS ?c) { ?p :author ?a . ?a :city :city${d.below(20)} } GROUP BY ?a ORDER BY DESC(?c) ?a LIMIT 10`,
    'nested optional': (d) =>
      `SELECT * { :person${d.below(PEOPLE)} :follows ?a OPTIONAL { ?a :mail ?m OPTIONAL { ?p :author ?a OPTIONAL { ?p :replyOf ?r } } } }`,
  },
};

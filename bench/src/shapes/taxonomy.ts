/** A taxonomy of twelve levels, with individuals at its leaves. */
import { iri, quad, text, type Shape } from './shape.js';

const CLASSES = 8000;
const THINGS = 20000;

export const taxonomy: Shape = {
  name: 'taxonomy',
  *quads(draw) {
    for (let i = 0; i < CLASSES; i++) {
      if (i > 0)
        yield quad(`class${i}`, 'sub', iri(`class${Math.floor((i - 1) / 2) + (i > 2 && draw.chance(0.1) ? -1 : 0)}`));
      yield quad(`class${i}`, 'label', text(`Class ${i}`));
      yield quad(`class${i}`, 'isClass', text('yes'));
      if (draw.chance(0.05)) yield quad(`class${i}`, 'deprecated', text('yes'));
    }
    for (let i = 0; i < THINGS; i++) {
      yield quad(`thing${i}`, 'a', iri(`class${draw.between(CLASSES >> 1, CLASSES - 1)}`));
      yield quad(`thing${i}`, 'label', text(`Thing ${i}`));
      if (i > 0 && draw.chance(0.3)) yield quad(`thing${i}`, 'near', iri(`thing${draw.below(i)}`));
    }
  },
  templates: {
    ancestors: (d) => `SELECT ?c { :class${d.below(CLASSES)} :sub* ?c }`,
    'labelled ancestors': (d) => `SELECT ?c ?l { :class${d.below(CLASSES)} :sub+ ?c . ?c :label ?l }`,
    descendants: (d) => `SELECT ?c { ?c :sub* :class${d.between(100, 400)} }`,
    'instances of a class': (d) => `SELECT ?x { ?x :a/:sub* :class${d.between(200, 800)} }`,
    'instances, labelled': (d) => `SELECT ?x ?l { ?x :a ?k ; :label ?l . ?k :sub* :class${d.between(500, 1500)} }`,
    'count of instances': (d) => `SELECT (COUNT(?x) AS ?c) { ?x :a/:sub* :class${d.between(1, 30)} }`,
    'classes of a thing': (d) => `SELECT ?c { :thing${d.below(THINGS)} :a/:sub* ?c }`,
    'common ancestor': (d) => `SELECT ?c { :class${d.below(CLASSES)} :sub* ?c . :class${d.below(CLASSES)} :sub* ?c }`,
    'is it below': (d) => `ASK { :thing${d.below(THINGS)} :a/:sub* :class${d.below(200)} }`,
    'named class below': (d) => `SELECT ?x { ?x :sub* ?c . ?c :label "Class ${d.between(100, 900)}" }`,
    'deprecated below': (d) => `SELECT ?c { ?c :deprecated "yes" . ?c :sub* :class${d.between(1, 30)} }`,
    'any pair, few ends': (d) => `SELECT ?x ?c { ?x :near+ ?c . ?c :label "Thing ${d.below(200)}" }`,
    'path limit': (d) => `SELECT ?x ?c { ?x :near+ ?c } LIMIT ${d.between(5, 20)}`,
    'either path': (d) => `SELECT ?c { :class${d.below(CLASSES)} (:sub|^:sub) ?c }`,
    'optional path': (d) =>
      `SELECT ?x ?c { ?x :label "Thing ${d.below(THINGS)}" OPTIONAL { ?x :a/:sub+ ?c . ?c :deprecated ?d } }`,
    'leaf classes': (d) => `SELECT ?c { ?c :sub :class${d.between(1000, 3000)} FILTER NOT EXISTS { ?x :sub ?c } }`,
    'things without class path': (d) =>
      `SELECT ?x { ?x :near ?y FILTER NOT EXISTS { ?x :a/:sub+ :class${d.between(1, 6)} } } LIMIT 10`,
    'siblings, path union': (d) =>
      `SELECT ?y { VALUES ?x { :class${d.below(CLASSES)} } { ?x :sub/^:sub ?y } UNION { ?x :sub+ ?y } }`,
  },
};

/** A thousand named graphs with records of sensors, each of a few dozen quads, and a list of the graphs. */
import { iri, quad, text, type Shape } from './shape.js';

const GRAPHS = 1000;
const SITES = 40;

export const manyGraphs: Shape = {
  name: 'graphs',
  *quads(draw) {
    for (let g = 0; g < GRAPHS; g++) {
      const graph = `graph${g}`;
      yield quad(graph, 'source', iri(`site${g % SITES}`));
      yield quad(graph, 'rank', draw.between(1, 100));
      for (let i = 0; i < 12; i++) {
        const item = `item${(g * 7 + i * 31) % 4000}`;
        yield quad(item, 'label', text(`Item ${draw.below(4000)}`), graph);
        yield quad(item, 'value', draw.below(1000), graph);
        yield quad(item, 'part', iri(`item${draw.below(4000)}`), graph);
        yield quad(item, 'kind', iri(`kind${draw.below(9)}`), graph);
        if (draw.chance(0.2)) yield quad(item, 'wrong', text('x'), graph);
      }
      yield quad('all', 'graphCount', g, graph);
    }
  },
  templates: {
    'item anywhere': (d) => `SELECT ?g ?p ?o { GRAPH ?g { :item${d.below(4000)} ?p ?o } }`,
    'bind in graph': (d) =>
      `SELECT ?g ?w { GRAPH ?g { ?i :kind :kind${d.below(9)} ; :value ?v BIND(?v * 2 AS ?w) FILTER(?v < 10) } }`,
    'rename in graph': (d) => `SELECT ?g ?x { GRAPH ?g { ?i :value ${d.below(1000)} BIND(?i AS ?x) } }`,
    'path in graph': (d) => `SELECT ?g ?x { GRAPH ?g { :item${d.below(4000)} :part+ ?x } }`,
    'optional path in graph': (d) => `SELECT ?g ?x { GRAPH ?g { ?i :value ${d.below(1000)} ; :part? ?x } }`,
    'sub-select in graph': (d) =>
      `SELECT ?g ?i { GRAPH ?g { { SELECT ?g ?i { ?i :value ?v FILTER(?v = ${d.below(1000)}) } } ?i :kind ?k } }`,
    'minus in graph': (d) =>
      `SELECT ?g ?i { GRAPH ?g { ?i :kind :kind${d.below(9)} ; :value ?v MINUS { ?i :wrong ?x } FILTER(?v < 20) } }`,
    'graphs of a site': (d) =>
      `SELECT ?g ?i { ?g :source :site${d.below(SITES)} GRAPH ?g { ?i :kind :kind${d.below(9)} } }`,
    'ranked graphs': (d) => `SELECT ?g ?i ?l { ?g :rank ${d.between(1, 100)} GRAPH ?g { ?i :label ?l } }`,
    'optional in graph': (d) => `SELECT * { GRAPH ?g { ?i :value ${d.below(1000)} OPTIONAL { ?i :wrong ?x } } }`,
    'union in graph': (d) =>
      `SELECT * { GRAPH ?g { { :item${d.below(4000)} :label ?x } UNION { :item${d.below(4000)} :value ?x } } }`,
    'one graph': (d) => `SELECT * { GRAPH :graph${d.below(GRAPHS)} { ?i :label ?l ; :value ?v } }`,
    'from one': (d) => `SELECT ?i ?v FROM :graph${d.below(GRAPHS)} { ?i :value ?v ; :kind ?k }`,
    'from many': (d) =>
      `SELECT (COUNT(DISTINCT ?i) AS ?c) ${Array.from({ length: 60 }, () => `FROM :graph${d.below(GRAPHS)}`)
        .filter((from, i, all) => all.indexOf(from) === i)
        .join(' ')} { ?i :kind :kind${d.below(9)} ; :value ?v }`,
    'items in two graphs': (d) =>
      `SELECT ?g ?h { GRAPH ?g { :item${d.below(4000)} :part ?x } GRAPH ?h { ?x :kind ?k } }`,
    'graph limit': (d) => `SELECT ?g ?i { GRAPH ?g { ?i :kind :kind${d.below(9)} } } LIMIT 10`,
    'count by graph': (d) => `SELECT ?g (COUNT(?i) AS ?c) { GRAPH ?g { ?i :kind :kind${d.below(9)} } } GROUP BY ?g`,
    'optional graph limit': (d) =>
      `SELECT ?g ?i ?x { ?g :rank ?r GRAPH ?g { ?i :kind :kind${d.below(9)} OPTIONAL { ?i :wrong ?x } } } LIMIT 10`,
  },
};

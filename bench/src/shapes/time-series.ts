/** Readings of sensors over time. */
import { iri, quad, typed, type Shape } from './shape.js';

const SENSORS = 150;
const READINGS = 120;

export const timeSeries: Shape = {
  name: 'series',
  *quads(draw) {
    for (let s = 0; s < SENSORS; s++) {
      yield quad(`sensor${s}`, 'room', iri(`room${s % 30}`));
      yield quad(`sensor${s}`, 'unit', iri(s % 3 === 0 ? 'celsius' : 'percent'));
      for (let r = 0; r < READINGS; r++) {
        const reading = `reading${s}-${r}`;
        yield quad(reading, 'sensor', iri(`sensor${s}`));
        yield quad(reading, 'value', draw.below(10000));
        yield quad(reading, 'at', typed(time(r, s), 'dateTime'));
        if (draw.chance(0.01)) yield quad(reading, 'alarm', iri(`level${draw.below(4)}`));
        if (r > 0) yield quad(reading, 'before', iri(`reading${s}-${r - 1}`));
      }
    }
    for (let r = 0; r < 30; r++) yield quad(`room${r}`, 'floor', r % 5);
  },
  templates: {
    latest: (d) => `SELECT ?r ?t { ?r :sensor :sensor${d.below(SENSORS)} ; :at ?t } ORDER BY DESC(?t) LIMIT 1`,
    'latest of all': (d) => `SELECT ?t { ?r :at ?t } ORDER BY DESC(?t) LIMIT ${d.between(1, 5)}`,
    window: (d) => {
      const day = d.below(READINGS - 2);
      return `SELECT ?r ?v { ?r :at ?t ; :value ?v FILTER(?t >= "${time(day, 0)}"^^xsd:dateTime && ?t < "${time(day + 1, 0)}"^^xsd:dateTime) }`;
    },
    'window of one': (d) =>
      `SELECT ?v { ?r :sensor :sensor${d.below(SENSORS)} ; :at ?t ; :value ?v FILTER(?t > "${time(d.below(READINGS), 0)}"^^xsd:dateTime) }`,
    'average by room': (d) => `SELECT (AVG(?v) AS ?a) { ?s :room :room${d.below(30)} . ?r :sensor ?s ; :value ?v }`,
    'max by sensor of a room': (d) =>
      `SELECT ?s (MAX(?v) AS ?m) { ?s :room :room${d.below(30)} . ?r :sensor ?s ; :value ?v } GROUP BY ?s`,
    alarms: (d) => `SELECT ?s ?t { ?r :alarm :level${d.below(4)} ; :sensor ?s ; :at ?t }`,
    'alarms of a floor': (d) => `SELECT ?r { ?r :alarm ?l ; :sensor ?s . ?s :room ?o . ?o :floor ${d.below(5)} }`,
    'alarm limit': (d) =>
      `SELECT ?r ?l { ?r :sensor ?s OPTIONAL { ?r :alarm ?l . ?l :text ?x } } LIMIT ${d.between(5, 20)}`,
    'no alarm limit': (d) =>
      `SELECT ?r { ?r :value ?v FILTER NOT EXISTS { ?r :alarm ?l . ?r :sensor ?s } } LIMIT ${d.between(5, 20)}`,
    'chain back': (d) => `SELECT ?p { :reading${d.below(SENSORS)}-${d.below(READINGS)} :before+ ?p }`,
    'chain between': (d) =>
      `SELECT ?p ?v { :reading${d.below(SENSORS)}-${READINGS - 1} :before* ?p . ?p :alarm ?l ; :value ?v }`,
    'three steps': (d) =>
      `SELECT ?p { :reading${d.below(SENSORS)}-${d.between(5, READINGS - 1)} :before/:before/:before ?p }`,
    difference: (d) =>
      `SELECT ?r ((?v - ?w) AS ?x) { ?r :sensor :sensor${d.below(SENSORS)} ; :value ?v ; :before ?b . ?b :value ?w }`,
    'value exactly': (d) => `SELECT ?r ?s { ?r :value ${d.below(10000)} ; :sensor ?s }`,
    'value above': (d) =>
      `SELECT (COUNT(*) AS ?c) { ?r :value ?v ; :sensor ?s . ?s :unit :celsius FILTER(?v > ${d.between(9000, 9990)}) }`,
    'ask above': (d) => `ASK { ?r :sensor ?s ; :value ?v FILTER(?v > ${d.between(5000, 9990)}) }`,
    'limit above': (d) => `SELECT ?r ?v { ?r :sensor ?s ; :value ?v FILTER(?v > ${d.between(9000, 9900)}) } LIMIT 10`,
    'distinct rooms': (d) => `SELECT DISTINCT ?o { ?r :alarm :level${d.below(4)} ; :sensor/:room ?o }`,
  },
};

const time = (reading: number, minute: number): string =>
  new Date(Date.UTC(2024, 0, 1 + reading, 0, minute)).toISOString().replace('.000', '');

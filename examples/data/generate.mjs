// Writes the Turtle files of this folder from one table: the solar system as it was known in six years.
// Run it after a change of the table: node examples/data/generate.mjs
import { writeFileSync } from 'node:fs';

const STATES = [1610, 1787, 1846, 1930, 2006, 2015];

/** Planets: name, year of discovery (none: known since antiquity), discoverer, mean radius in km, orbit in days. */
const PLANETS = [
  ['Mercury', undefined, undefined, 2439.7, 87.969, 'Merkur', 'Mercure'],
  ['Venus', undefined, undefined, 6051.8, 224.701, 'Venus', 'Vénus'],
  ['Earth', undefined, undefined, 6371.0, 365.256, 'Erde', 'Terre'],
  ['Mars', undefined, undefined, 3389.5, 686.98, 'Mars', 'Mars'],
  ['Jupiter', undefined, undefined, 69911, 4332.59, 'Jupiter', 'Jupiter'],
  ['Saturn', undefined, undefined, 58232, 10759.22, 'Saturn', 'Saturne'],
  ['Uranus', 1781, 'William Herschel', 25362, 30688.5, 'Uranus', 'Uranus'],
  ['Neptune', 1846, 'Johann Gottfried Galle', 24622, 60195, 'Neptun', 'Neptune'],
];

/** Bodies that were called planets when they were found: the years from which they had another name. */
const FORMER_PLANETS = [
  ['Ceres', 1801, 'Giuseppe Piazzi', 469.7, { 1846: 'Planet', 1930: 'Asteroid', 2006: 'DwarfPlanet' }],
  ['Pallas', 1802, 'Heinrich Wilhelm Olbers', 256, { 1846: 'Planet', 1930: 'Asteroid' }],
  ['Juno', 1804, 'Karl Ludwig Harding', 127, { 1846: 'Planet', 1930: 'Asteroid' }],
  ['Vesta', 1807, 'Heinrich Wilhelm Olbers', 262.7, { 1846: 'Planet', 1930: 'Asteroid' }],
  ['Astraea', 1845, 'Karl Ludwig Hencke', undefined, { 1846: 'Planet', 1930: 'Asteroid' }],
  ['Pluto', 1930, 'Clyde Tombaugh', 1188.3, { 1930: 'Planet', 2006: 'DwarfPlanet' }],
  ['Eris', 2005, 'Michael E. Brown', 1163, { 2006: 'DwarfPlanet' }],
  ['Makemake', 2005, 'Michael E. Brown', 715, { 2015: 'DwarfPlanet' }],
  ['Haumea', 2004, undefined, undefined, { 2015: 'DwarfPlanet' }],
];

/** Moons: name, what they orbit, year, discoverer, mean radius in km, orbit in days. */
const MOONS = [
  ['Moon', 'Earth', undefined, undefined, 1737.4, 27.3217],
  ['Phobos', 'Mars', 1877, 'Asaph Hall', 11.1, 0.319],
  ['Deimos', 'Mars', 1877, 'Asaph Hall', 6.2, 1.263],
  ['Io', 'Jupiter', 1610, 'Galileo Galilei', 1821.6, 1.769],
  ['Europa', 'Jupiter', 1610, 'Galileo Galilei', 1560.8, 3.551],
  ['Ganymede', 'Jupiter', 1610, 'Galileo Galilei', 2634.1, 7.155],
  ['Callisto', 'Jupiter', 1610, 'Galileo Galilei', 2410.3, 16.689],
  ['Amalthea', 'Jupiter', 1892, 'Edward Emerson Barnard', 83.5, 0.498],
  ['Himalia', 'Jupiter', 1904, 'Charles Dillon Perrine'],
  ['Elara', 'Jupiter', 1905, 'Charles Dillon Perrine'],
  ['Pasiphae', 'Jupiter', 1908, 'Philibert Jacques Melotte'],
  ['Sinope', 'Jupiter', 1914, 'Seth Barnes Nicholson'],
  ['Lysithea', 'Jupiter', 1938, 'Seth Barnes Nicholson'],
  ['Carme', 'Jupiter', 1938, 'Seth Barnes Nicholson'],
  ['Ananke', 'Jupiter', 1951, 'Seth Barnes Nicholson'],
  ['Leda', 'Jupiter', 1974, 'Charles T. Kowal'],
  ['Thebe', 'Jupiter', 1979, 'Stephen P. Synnott', 49.3, 0.675],
  ['Adrastea', 'Jupiter', 1979, 'David C. Jewitt', 8.2, 0.298],
  ['Metis', 'Jupiter', 1979, 'Stephen P. Synnott', 21.5, 0.295],
  ['Titan', 'Saturn', 1655, 'Christiaan Huygens', 2574.7, 15.945],
  ['Iapetus', 'Saturn', 1671, 'Giovanni Domenico Cassini', 734.5, 79.32],
  ['Rhea', 'Saturn', 1672, 'Giovanni Domenico Cassini', 763.8, 4.518],
  ['Tethys', 'Saturn', 1684, 'Giovanni Domenico Cassini', 531.1, 1.888],
  ['Dione', 'Saturn', 1684, 'Giovanni Domenico Cassini', 561.4, 2.737],
  ['Mimas', 'Saturn', 1789, 'William Herschel', 198.2, 0.942],
  ['Enceladus', 'Saturn', 1789, 'William Herschel', 252.1, 1.37],
  ['Hyperion', 'Saturn', 1848, 'William Lassell', 135, 21.277],
  ['Phoebe', 'Saturn', 1899, 'William Henry Pickering', 106.5],
  ['Janus', 'Saturn', 1966, 'Audouin Dollfus', 89.5, 0.695],
  ['Epimetheus', 'Saturn', 1966, 'Richard Walker', 58.1, 0.694],
  ['Atlas', 'Saturn', 1980, 'Voyager 1', 15.1, 0.602],
  ['Prometheus', 'Saturn', 1980, 'Voyager 1', 43.1, 0.613],
  ['Pandora', 'Saturn', 1980, 'Voyager 1', 40.7, 0.629],
  ['Helene', 'Saturn', 1980],
  ['Telesto', 'Saturn', 1980],
  ['Calypso', 'Saturn', 1980],
  ['Pan', 'Saturn', 1990, 'Mark R. Showalter', 14.1, 0.575],
  ['Methone', 'Saturn', 2004, 'Cassini Imaging Team'],
  ['Pallene', 'Saturn', 2004, 'Cassini Imaging Team'],
  ['Daphnis', 'Saturn', 2005, 'Cassini Imaging Team'],
  ['Anthe', 'Saturn', 2007, 'Cassini Imaging Team'],
  ['Aegaeon', 'Saturn', 2008, 'Cassini Imaging Team'],
  ['Titania', 'Uranus', 1787, 'William Herschel', 788.9, 8.706],
  ['Oberon', 'Uranus', 1787, 'William Herschel', 761.4, 13.463],
  ['Ariel', 'Uranus', 1851, 'William Lassell', 578.9, 2.52],
  ['Umbriel', 'Uranus', 1851, 'William Lassell', 584.7, 4.144],
  ['Miranda', 'Uranus', 1948, 'Gerard Kuiper', 235.8, 1.413],
  ['Puck', 'Uranus', 1985, 'Voyager 2', 81, 0.762],
  ...['Cordelia', 'Ophelia', 'Bianca', 'Cressida', 'Desdemona', 'Juliet', 'Portia', 'Rosalind', 'Belinda'].map(
    (name) => [name, 'Uranus', 1986, 'Voyager 2'],
  ),
  ...['Caliban', 'Sycorax'].map((name) => [name, 'Uranus', 1997]),
  ...['Prospero', 'Setebos', 'Stephano'].map((name) => [name, 'Uranus', 1999]),
  ['Trinculo', 'Uranus', 2001],
  ['Mab', 'Uranus', 2003, 'Mark R. Showalter'],
  ['Cupid', 'Uranus', 2003, 'Mark R. Showalter'],
  ['Triton', 'Neptune', 1846, 'William Lassell', 1353.4, 5.877],
  ['Nereid', 'Neptune', 1949, 'Gerard Kuiper', 170, 360.13],
  ...['Naiad', 'Thalassa', 'Despina', 'Galatea', 'Proteus'].map((name) => [name, 'Neptune', 1989, 'Voyager 2']),
  ['Larissa', 'Neptune', 1981, 'Harold Reitsema'],
  ['Hippocamp', 'Neptune', 2013, 'Mark R. Showalter'],
  ['Charon', 'Pluto', 1978, 'James W. Christy', 606, 6.387],
  ['Nix', 'Pluto', 2005],
  ['Hydra', 'Pluto', 2005],
  ['Kerberos', 'Pluto', 2011, 'Mark R. Showalter'],
  ['Styx', 'Pluto', 2012, 'Mark R. Showalter'],
  ['Dysnomia', 'Eris', 2005, 'Michael E. Brown'],
  ['Hiʻiaka', 'Haumea', 2005, 'Michael E. Brown'],
  ['Namaka', 'Haumea', 2005, 'Michael E. Brown'],
];

const local = (name) => name.replace(/[^A-Za-z0-9]+/g, '_').replace(/_+$/, '');
const isKnown = (year, state) => (year ?? 0) <= state;

function body(name, types, facts, labels = []) {
  const lines = [`  rdfs:label ${[`"${name}"@en`, ...labels].join(', ')}`];
  for (const [predicate, object] of facts) if (object !== undefined) lines.push(`  ${predicate} ${object}`);
  return `:${local(name)} a ${types.join(', ')} ;\n${lines.join(' ;\n')} .\n`;
}

const discovery = (year, by) => [
  [':discoveredIn', year === undefined ? undefined : `"${year}"^^xsd:gYear`],
  [':discoveredBy', by === undefined ? undefined : `:${local(by)}`],
];
const measures = (radius, days) => [
  [':meanRadiusKm', radius?.toFixed(1)],
  [':orbitalPeriodDays', days === undefined ? undefined : String(days).includes('.') ? String(days) : `${days}.0`],
];

function documentOf(state) {
  const parts = [
    `# The solar system as it was known in ${state}. CC0 1.0: see README.md in this folder.`,
    '@prefix : <http://example.org/solar-system/> .',
    '@prefix foaf: <http://xmlns.com/foaf/0.1/> .',
    '@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .',
    '@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n',
    body('Sun', [':Star'], [], ['"Sonne"@de', '"Soleil"@fr']),
  ];
  const people = new Set();
  const add = (year, by, text) => {
    if (by !== undefined) people.add(by);
    parts.push(text);
  };
  for (const [name, year, by, radius, days, german, french] of PLANETS) {
    if (!isKnown(year, state)) continue;
    const facts = [[':orbits', ':Sun'], ...discovery(year, by), ...measures(radius, days)];
    add(year, by, body(name, [':Planet'], facts, [`"${german}"@de`, `"${french}"@fr`]));
  }
  const around = new Set(PLANETS.filter(([, year]) => isKnown(year, state)).map(([name]) => name));
  for (const [name, year, by, radius, called] of FORMER_PLANETS) {
    const type = Object.entries(called).filter(([from]) => Number(from) <= state).at(-1)?.[1];
    if (type === undefined) continue;
    around.add(name);
    add(year, by, body(name, [`:${type}`], [[':orbits', ':Sun'], ...discovery(year, by), ...measures(radius)]));
  }
  for (const [name, planet, year, by, radius, days] of MOONS) {
    if (!isKnown(year, state) || !around.has(planet)) continue;
    add(year, by, body(name, [':Satellite'], [[':orbits', `:${planet}`], ...discovery(year, by), ...measures(radius, days)]));
  }
  for (const person of [...people].sort()) {
    const type = /Voyager|Team/.test(person) ? ':Mission' : 'foaf:Person';
    parts.push(`:${local(person)} a ${type} ; foaf:name "${person}" .`);
  }
  return `${parts.join('\n')}\n`;
}

for (const state of STATES) {
  writeFileSync(new URL(`./solar-system-${state}.ttl`, import.meta.url), documentOf(state));
}

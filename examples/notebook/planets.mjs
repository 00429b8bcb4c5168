// %% [markdown]
// # What was a planet, and when?
// A script of cells, as the extension "Jupyter" of editors runs them. It also runs as a whole:
//   node examples/notebook/planets.mjs [directory for the plots]

// %% Open a store and load six states
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { open } from 'quadrille';
import { parse, View } from 'vega';
import { compile } from 'vega-lite';

const directory = process.argv[2] ?? 'plots';
const db = await open(':memory:');
const repo = await db.repository('solar-system', { create: true });
await repo.namespaces.set('sol', 'http://example.org/solar-system/');
for (const year of [1610, 1787, 1846, 1930, 2006, 2015]) {
  const file = fileURLToPath(new URL(`../data/solar-system-${year}.ttl`, import.meta.url));
  await repo.tags.set(`y${year}`, await repo.load(file, { replace: true, message: String(year) }));
}

// %% Ask every revision the same question
const history = [];
for await (const { number, message, size } of repo.log()) {
  if (message === undefined) continue;
  const { planets } = await repo
    .at(number)
    .select('SELECT (COUNT(*) AS ?planets) { ?planet a sol:Planet }', { values: 'js' })
    .first();
  history.unshift({ year: Number(message), planets, quads: size });
}
console.table(history);

// %% The sizes of what is a planet now
const radii = await repo
  .select(
    `SELECT ?name ?radius { ?planet a sol:Planet ; rdfs:label ?name ; sol:meanRadiusKm ?radius FILTER(LANG(?name) = "en") }
     ORDER BY DESC(?radius)`,
  )
  .toArray();
const sizes = radii.map(({ name, radius }) => ({ name: name.value, radius: Number(radius.value) }));

// %% Plot
const plot = async (name, spec) => {
  const svg = await new View(parse(compile({ width: 480, height: 240, ...spec }).spec), { renderer: 'none' }).toSVG();
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, `${name}.svg`), svg);
  console.log('written:', join(directory, `${name}.svg`));
};
await plot('planets', {
  title: 'What was called a planet',
  data: { values: history },
  mark: { type: 'line', interpolate: 'step-after', point: true },
  encoding: {
    x: { field: 'year', type: 'quantitative', scale: { zero: false }, axis: { format: 'd' } },
    y: { field: 'planets', type: 'quantitative' },
  },
});
await plot('radii', {
  title: 'Mean radius in km',
  data: { values: sizes },
  mark: 'bar',
  encoding: {
    x: { field: 'radius', type: 'quantitative', title: null },
    y: { field: 'name', type: 'nominal', sort: '-x', title: null },
  },
});

// %% Close
await db.close();

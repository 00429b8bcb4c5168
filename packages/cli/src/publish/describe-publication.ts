/** `void.ttl`: what a publication has, in VoID and SPARQL Service Description. Figures come from the index where it has them. */
import {
  type Database,
  defaultGraph,
  iri,
  literal,
  type PublishReport,
  type RevisionView,
  termToNTriples,
} from 'quadrille';

type Published = PublishReport['repositories'][number];

const PREFIXES = {
  dcterms: 'http://purl.org/dc/terms/',
  foaf: 'http://xmlns.com/foaf/0.1/',
  sd: 'http://www.w3.org/ns/sparql-service-description#',
  void: 'http://rdfs.org/ns/void#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
} as const;
/** Classes, properties and named graphs that are listed. */
const MOST_LISTED = 1000;
/** Of larger repositories subjects are not counted: that reads one order of all quads. */
const MOST_COUNTED = 1_000_000;

/** A subject with its predicates and objects, as Turtle. */
type Statements = readonly (readonly [predicate: string, object: string | undefined])[];

/** @returns Turtle. Its addresses are relative: nobody knows yet where it will be */
export async function describePublication(database: Database, repositories: readonly Published[]): Promise<string> {
  const blocks = [
    Object.entries(PREFIXES)
      .map(([name, namespace]) => `@prefix ${name}: <${namespace}> .`)
      .join('\n'),
  ];
  for (const published of repositories) blocks.push(await describeRepository(database, published));
  return `${blocks.join('\n\n')}\n`;
}

async function describeRepository(database: Database, published: Published): Promise<string> {
  const { name, quads, revision } = published;
  const repository = await database.repository(name);
  const view = repository.at(revision.id);
  const { summary, description, homepage } = await repository.settings.metadata.get();
  const subjects = quads <= MOST_COUNTED ? await numberOf(view, 'COUNT(DISTINCT ?s)', '?s ?p ?o') : undefined;
  const { predicates } = await repository.maintenance.stats();
  const graphs = await view.graphs().toArray();
  const classes = await classesOf(view, graphs.length > 0);
  const dataset = `<#${name}>`;
  const lines: Statements = [
    ['a', 'void:Dataset, sd:Dataset'],
    ['dcterms:title', text(name)],
    ['dcterms:description', text(description ?? summary)],
    ['foaf:homepage', isAddress(homepage) ? termToNTriples(iri(homepage)) : '<./>'],
    ['dcterms:modified', `"${revision.time}"^^xsd:dateTime`],
    ['dcterms:identifier', text(revision.id)],
    ['void:triples', String(quads)],
    ['void:distinctSubjects', graphs.length > 0 ? undefined : subjects],
    ['void:properties', String(predicates.length)],
    ['void:classes', classes.length > MOST_LISTED ? undefined : String(classes.length)],
    ...classes
      .slice(0, MOST_LISTED)
      .map(([term, n]) => ['void:classPartition', `[ void:class ${term} ; void:entities ${n} ]`] as const),
    ...(await propertiesOf(view, predicates.slice(0, MOST_LISTED))),
    ['sd:defaultGraph', `[ a sd:Graph ; void:triples ${String(await view.count({ graph: defaultGraph() }))} ]`],
    ...graphs
      .slice(0, MOST_LISTED)
      .filter(({ termType }) => termType === 'NamedNode')
      .map((graph) => ['sd:namedGraph', `[ a sd:NamedGraph ; sd:name ${termToNTriples(graph)} ]`] as const),
  ];
  // A program that reads the files is the service: there is no address to send queries to.
  const service: Statements = [
    ['a', 'sd:Service'],
    ['sd:supportedLanguage', 'sd:SPARQL10Query, sd:SPARQL11Query'],
    ['sd:defaultDataset', dataset],
  ];
  return `${turtle(dataset, lines)}\n\n${turtle(`<#${name}/service>`, service)}`;
}

const turtle = (subject: string, statements: Statements): string => {
  const said = statements.flatMap(([predicate, object]) => (object === undefined ? [] : [`${predicate} ${object}`]));
  return `${subject} ${said.join(' ;\n  ')} .`;
};

const text = (value: string | null | undefined): string | undefined =>
  value === undefined || value === null || value === '' ? undefined : termToNTriples(literal(value));

const isAddress = (value: string | null | undefined): value is string =>
  typeof value === 'string' && /^https?:\/\/[^\s<>"{}|\\^`]+$/i.test(value);

async function numberOf(view: RevisionView, count: string, pattern: string): Promise<string> {
  const row = await view.select(`SELECT (${count} AS ?n) { ${pattern} }`).first();
  return row?.['n']?.value ?? '0';
}

/** Classes with the number of their instances, the largest first; one more than are listed. It reads the types alone. */
async function classesOf(view: RevisionView, hasGraphs: boolean): Promise<(readonly [term: string, count: string])[]> {
  const pattern = '?thing a ?class';
  const where = hasGraphs ? `{ ${pattern} } UNION { GRAPH ?graph { ${pattern} } }` : pattern;
  const query = `SELECT ?class (COUNT(DISTINCT ?thing) AS ?n) { ${where} } GROUP BY ?class ORDER BY DESC(?n) ?class LIMIT ${MOST_LISTED + 1}`;
  const rows = await view.select(query).toArray();
  return rows.flatMap(({ class: term, n }) =>
    term?.termType === 'NamedNode' ? [[termToNTriples(term), n!.value] as const] : [],
  );
}

async function propertiesOf(
  view: RevisionView,
  predicates: readonly { readonly predicate: Parameters<typeof termToNTriples>[0] }[],
): Promise<Statements> {
  const lines: [string, string][] = [];
  for (const { predicate } of predicates) {
    const triples = await view.count({ predicate });
    const property = `void:property ${termToNTriples(predicate)} ; void:triples ${String(triples)}`;
    if (triples > 0) lines.push(['void:propertyPartition', `[ ${property} ]`]);
  }
  return lines;
}

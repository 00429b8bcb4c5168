/** Virtuoso as a server: loads data with its bulk loader, does everything else over HTTP. */
import { existsSync } from 'node:fs';
import { readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createLineSerializer } from '@quadrille/formats';
import { dataFactory } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import type { AnswerDigest } from '../../sparql/answer.js';
import { comparableText, quadRow } from '../../sparql/answer.js';
import { formOf } from '../query-form.js';
import type { OpenStore, StoreKind, Visit } from '../store.js';
import { asked } from './answers.js';
import type { Answers, Parameters } from './answers.js';
import { SERVER, serverVersion } from './programs.js';
import { VirtuosoServer } from './server.js';

export const VIRTUOSO: StoreKind = {
  name: 'virtuoso',
  title: 'Virtuoso, a server',
  role: 'peer',
  persistent: true,
  phases: ['load', 'read', 'write', 'queries'],
  packages: [],
  program: {
    name: SERVER,
    get: 'apt-get install virtuoso-opensource: virtuoso-t has to be in the PATH, with its isql',
    version: serverVersion,
  },
  read: 'SPARQL over HTTP, answers as JSON',
  note: 'Each process starts the server and stops it; time, memory and CPU time of a load count both',
  open: async (directory) => new VirtuosoStore(await VirtuosoServer.start(directory), directory).prepared(),
};

/** Virtuoso has no default graph. Its triples go into this graph. */
const DEFAULT = 'urn:quadrille:default-graph';
const GRAPH_FORMS: ReadonlySet<string | undefined> = new Set(['CONSTRUCT', 'DESCRIBE']);
/** Matches queries that name their graphs themselves. */
const NAMES_GRAPHS = /\bFROM\b/i;

class VirtuosoStore implements OpenStore {
  /** Virtuoso's own graphs, which a new database has. */
  #system: ReadonlySet<string> = new Set();
  #dataset: Parameters = [];

  constructor(
    private readonly database: VirtuosoServer,
    private readonly directory: string,
  ) {}

  async prepared(): Promise<OpenStore> {
    const file = join(this.directory, 'system-graphs.json');
    if (!existsSync(file)) {
      await this.database.sql('grant SPARQL_UPDATE to "SPARQL"');
      await writeFile(file, JSON.stringify([...(await this.#sizes()).keys()]));
    }
    this.#system = new Set(JSON.parse(await readFile(file, 'utf8')) as string[]);
    await this.#findGraphs();
    return this;
  }

  async load(file: string): Promise<void> {
    // The loader accepts N-Triples as N-Quads and recognises the format by the extension.
    const link = join(this.directory, 'load.nq');
    await symlink(file, link);
    const load = `ld_dir('${this.directory}', 'load.nq', '${DEFAULT}'); rdf_loader_run(); checkpoint`;
    await this.database.sql(load);
    const failed = await this.database.sql('select ll_error from DB.DBA.load_list where ll_error is not null');
    await rm(link);
    if (failed !== '') throw new Error(failed);
    await this.#findGraphs();
  }

  async size(): Promise<number> {
    let quads = 0;
    for (const [graph, size] of await this.#sizes()) if (!this.#system.has(graph)) quads += size;
    return quads;
  }

  scan(visit: Visit): Promise<void> {
    return this.#visit('SELECT ?g ?s ?p ?o { GRAPH ?g { ?s ?p ?o } }', visit);
  }

  lookup(subject: RDF.NamedNode, visit: Visit): Promise<void> {
    return this.#visit(`SELECT ?g ?p ?o { GRAPH ?g { <${subject.value}> ?p ?o } }`, visit, subject);
  }

  async add(quads: readonly RDF.Quad[]): Promise<void> {
    const byGraph = new Map<string, RDF.Quad[]>();
    for (const quad of quads) {
      const graph = quad.graph.value === '' ? DEFAULT : quad.graph.value;
      byGraph.set(graph, [...(byGraph.get(graph) ?? []), quad]);
    }
    const lines = createLineSerializer({ graphs: false });
    const parts = [...byGraph].map(([graph, each]) => `GRAPH <${graph}> { ${lines.write(each)} }`);
    await this.#ask(`INSERT DATA { ${parts.join(' ')} }`);
  }

  readonly run = async (text: string, digest?: AnswerDigest): Promise<number> => {
    const dataset = NAMES_GRAPHS.test(text) ? [] : this.#dataset;
    const { boolean, rows, quads } = await this.#ask(text, dataset, GRAPH_FORMS.has(formOf(text)));
    if (boolean !== undefined) return boolean ? 1 : 0;
    if (digest !== undefined) {
      for (const row of rows ?? []) digest.add(row.map(([name, term]) => [name, comparableText(term)]));
      for (const quad of quads ?? []) digest.add(quadRow(quad));
    }
    return (rows ?? quads ?? []).length;
  };

  readonly server: NonNullable<OpenStore['server']> = () => this.database.meters();

  readonly close = (): Promise<void> => this.database.stop();

  #ask(query: string, parameters: Parameters = [], graph = false): Promise<Answers> {
    return asked(this.database.endpoint, [['query', query], ...parameters], graph);
  }

  async #visit(query: string, visit: Visit, subject?: RDF.NamedNode): Promise<void> {
    const { rows = [] } = await this.#ask(query);
    for (const row of rows) {
      const { g, s = subject, p, o } = Object.fromEntries(row) as Record<string, never>;
      const graph: RDF.NamedNode = g!;
      if (this.#system.has(graph.value)) continue;
      visit(dataFactory.quad(s!, p!, o!, graph.value === DEFAULT ? dataFactory.defaultGraph() : graph));
    }
  }

  /** Numbers of quads of all graphs, including Virtuoso's own. */
  async #sizes(): Promise<Map<string, number>> {
    const { rows = [] } = await this.#ask('SELECT ?g (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } } GROUP BY ?g');
    return new Map(
      rows.map((row) => {
        const { g, n } = Object.fromEntries(row);
        return [g!.value, Number(n!.value)];
      }),
    );
  }

  // Sets the dataset of queries. Without it, queries see the union of all graphs, including Virtuoso's own.
  async #findGraphs(): Promise<void> {
    const graphs = [...(await this.#sizes()).keys()].filter((graph) => !this.#system.has(graph) && graph !== DEFAULT);
    this.#dataset = [['default-graph-uri', DEFAULT], ...graphs.map((graph) => ['named-graph-uri', graph] as const)];
  }
}

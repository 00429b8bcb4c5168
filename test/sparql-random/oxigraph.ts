/** Oxigraph's WebAssembly build as an oracle, in a thread of its own. */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { createLineParser, QuadCollector } from '@quadrille/formats';
import { blankNode, dataFactory, iri, termToText } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { type Answer, NEW_LABELS, type Row } from './answers.js';
import { PREFIXES, type QuadText, toQuads } from './data.js';

export type Form = 'SELECT' | 'ASK' | 'CONSTRUCT' | 'DESCRIBE' | 'UPDATE';
export interface Request {
  readonly form: Form;
  /** Without prefixes. */
  readonly text: string;
}

type Told =
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: 'bindings' | 'quads'; readonly text: string }
  | { readonly type: 'error'; readonly message: string };

interface JsonTerm {
  readonly type: 'uri' | 'bnode' | 'literal' | 'triple';
  readonly value: string & { subject: JsonTerm; predicate: JsonTerm; object: JsonTerm };
  readonly datatype?: string;
  readonly 'xml:lang'?: string;
  readonly 'its:dir'?: 'ltr' | 'rtl';
}

/** What a request may take. */
const MOST_MS = 1000;
const PROLOGUE = Object.entries(PREFIXES)
  .map(([prefix, name]) => `PREFIX ${prefix}: <${name}> `)
  .join('');
const utf8 = new TextEncoder();

export const lineOf = ({ subject, predicate, object, graph }: RDF.Quad): string =>
  `${[subject, predicate, object, graph].map(termToText).join(' ').trimEnd()} .`;

export class Oxigraph {
  #thread: Worker | undefined;

  /** The answers on the data, each as if it were the first; `undefined` for those that take too long. */
  async ask(data: readonly QuadText[], requests: readonly Request[]): Promise<(Answer | undefined)[]> {
    const nquads = toQuads(data).map(lineOf).join('\n');
    const stored = new Set([...nquads.matchAll(/_:(\w+)/g)].map(([, label]) => label!));
    const answers: (Answer | undefined)[] = [];
    while (answers.length < requests.length) {
      const left = requests.slice(answers.length).map(({ form, text }) => ({ form, text: PROLOGUE + text }));
      answers.push(...(await this.#some(nquads, left)).map((told) => told && answerOf(told, stored)));
    }
    return answers;
  }

  /** The first answers: all, or those up to one that takes too long. */
  #some(nquads: string, requests: readonly Request[]): Promise<(Told | undefined)[]> {
    const thread = (this.#thread ??= new Worker(join(import.meta.dirname, 'oxigraph-thread.mjs'), {
      execArgv: [],
      stderr: true,
    }));
    const found: (Told | undefined)[] = [];
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout;
      const done = (): void => {
        clearTimeout(timer);
        thread.off('message', told);
        thread.off('error', reject);
        resolve(found);
      };
      const late = (): void => {
        found.push(undefined);
        this.#thread = undefined;
        void thread.terminate();
        done();
      };
      const told = (answer: Told): void => {
        clearTimeout(timer);
        found.push(answer);
        // A panic leaves the module as it is.
        if (answer.type === 'error' && answer.message.includes('unreachable')) {
          this.#thread = undefined;
          void thread.terminate();
          done();
        } else if (found.length === requests.length) done();
        else timer = setTimeout(late, MOST_MS);
      };
      thread.on('message', told);
      thread.on('error', reject);
      timer = setTimeout(late, 10 * MOST_MS);
      thread.postMessage({ nquads, requests }, []);
    });
  }

  async close(): Promise<void> {
    await this.#thread?.terminate();
    this.#thread = undefined;
  }
}

function answerOf(told: Told, stored: ReadonlySet<string>): Answer {
  if (told.type === 'boolean') return told;
  if (told.type === 'error') return { ...told, code: 'oxigraph' };
  const blank = (label: string): RDF.BlankNode => blankNode(stored.has(label) ? label : `${NEW_LABELS}${label}`);
  if (told.type === 'quads') return { type: 'quads', quads: quadsOf(told.text).map((quad) => named(quad, blank)) };
  const { head, results } = JSON.parse(told.text) as {
    head: { vars: string[] };
    results: { bindings: Record<string, JsonTerm>[] };
  };
  const rows = results.bindings.map((row): Row =>
    Object.fromEntries(Object.entries(row).map(([name, term]) => [name, termOf(term, blank)])),
  );
  return { type: 'bindings', variables: head.vars, rows };
}

function quadsOf(text: string): RDF.Quad[] {
  const sink = new QuadCollector();
  const parser = createLineParser({ sink, quads: true });
  parser.push(utf8.encode(text));
  parser.end();
  return sink.take();
}

function named(quad: RDF.Quad, blank: (label: string) => RDF.BlankNode): RDF.Quad {
  const of = (term: RDF.Term): RDF.Term =>
    term.termType === 'BlankNode'
      ? blank(term.value)
      : term.termType === 'Quad'
        ? named(term as RDF.Quad, blank)
        : term;
  const { subject, predicate, object, graph } = quad;
  return dataFactory.quad(
    of(subject) as RDF.Quad_Subject,
    predicate as RDF.Quad_Predicate,
    of(object) as RDF.Quad_Object,
    of(graph) as RDF.Quad_Graph,
  );
}

function termOf(term: JsonTerm, blank: (label: string) => RDF.BlankNode): RDF.Term {
  if (term.type === 'uri') return iri(term.value);
  if (term.type === 'bnode') return blank(term.value);
  if (term.type === 'triple') {
    const { subject, predicate, object } = term.value;
    return dataFactory.quad(
      termOf(subject, blank) as RDF.Quad_Subject,
      termOf(predicate, blank) as RDF.Quad_Predicate,
      termOf(object, blank) as RDF.Quad_Object,
    );
  }
  const { value, datatype, 'xml:lang': language, 'its:dir': direction } = term;
  if (language !== undefined)
    return dataFactory.literal(value, direction === undefined ? language : { language, direction });
  return dataFactory.literal(value, datatype === undefined ? undefined : iri(datatype));
}

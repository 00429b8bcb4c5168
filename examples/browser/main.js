// Quadrille in a page: queries and updates in SPARQL, at every revision, over a store that stays in the browser.
//   npm run dev -w examples/browser
import { parseSparql, termToText } from 'quadrille';
import { openSolarSystem } from './store.js';

const FIRST_QUERY = `# What was called a planet then, and how large is it?
SELECT ?name ?radius {
  ?planet a sol:Planet ; rdfs:label ?name
  OPTIONAL { ?planet sol:meanRadiusKm ?radius }
  FILTER(lang(?name) = "en")
} ORDER BY DESC(?radius)`;
const MOST_ROWS = 200;

const element = (id) => document.getElementById(id);
let repo;
/** The revision that queries are asked of. */
let shown;

async function start() {
  element('query').value = FIRST_QUERY;
  const say = (text) => (element('status').textContent = text);
  const opened = await openSolarSystem(say);
  repo = opened.repo;
  say(opened.isNew ? 'Loaded into IndexedDB: reload the page, and it is still there.' : 'Found in IndexedDB.');
  element('query-form').addEventListener('submit', (event) => {
    event.preventDefault();
    void guarded(run);
  });
  await show('HEAD');
}

/** Goes to a revision: history, its changes, and the query asked of it. */
async function show(ref) {
  shown = await repo.at(ref).revision();
  await showHistory();
  await showChanges();
  await run();
}

async function run() {
  const text = element('query').value;
  const { kind } = await parseSparql(text, { prefixes: await repo.namespaces.list() });
  if (kind === 'update') {
    await repo.update(text, { message: 'an update in this page' });
    element('query').value = FIRST_QUERY;
    return show('HEAD');
  }
  const started = performance.now();
  const answer = await repo.at(shown).query(text);
  const { head, rows } = await tableOf(answer);
  const ms = (performance.now() - started).toFixed(1);
  fillTable(head, rows);
  const more = rows.length === MOST_ROWS ? ' (the first)' : '';
  element('answer-title').textContent = `${rows.length} rows${more} at revision ${shown.number}, in ${ms} ms`;
}

async function tableOf(answer) {
  if (answer.type === 'boolean') return { head: ['answer'], rows: [[String(answer.value)]] };
  const rows = [];
  if (answer.type === 'quads') {
    for await (const { subject, predicate, object } of answer.quads) {
      if (rows.push([subject, predicate, object].map(textOf)) === MOST_ROWS) break;
    }
    return { head: ['subject', 'predicate', 'object'], rows };
  }
  for await (const row of answer.rows) {
    if (rows.push(answer.variables.map((name) => textOf(row[name]))) === MOST_ROWS) break;
  }
  return { head: answer.variables, rows };
}

async function showHistory() {
  const entries = [];
  for await (const revision of repo.log()) {
    const { number, message, added, removed } = revision;
    const button = document.createElement('button');
    button.type = 'button';
    button.setAttribute('aria-pressed', String(number === shown.number));
    button.append(`${number}. ${message ?? 'created'}`, small(`+${added} −${removed}`));
    button.addEventListener('click', () => void guarded(() => show(number)));
    const entry = document.createElement('li');
    entry.append(button);
    entries.push(entry);
  }
  element('history').replaceChildren(...entries);
}

async function showChanges() {
  const lines = [];
  if (shown.number > 1) {
    for await (const { op, quad } of repo.diff(shown.number - 1, shown)) {
      const sign = op === 'add' ? '+' : '−';
      lines.push([sign, textOf(quad.subject), textOf(quad.predicate), textOf(quad.object)].join(' '));
    }
  }
  element('changes').textContent = lines.join('\n') || 'Nothing.';
}

function fillTable(head, rows) {
  const rowOf = (tag, texts) => {
    const row = document.createElement('tr');
    for (const text of texts) row.append(Object.assign(document.createElement(tag), { textContent: text }));
    return row;
  };
  element('answer').replaceChildren(rowOf('th', head), ...rows.map((texts) => rowOf('td', texts)));
}

function textOf(term) {
  if (term === undefined) return '';
  if (term.termType === 'NamedNode') return term.value.replace(/^.*[/#](?=.)/, '');
  return term.termType === 'Literal' ? term.value : termToText(term);
}

const small = (text) => Object.assign(document.createElement('small'), { className: 'hint', textContent: text });

/** Does something and says what went wrong. Errors are told by their code: names of classes do not survive a minifier. */
async function guarded(work) {
  try {
    await work();
  } catch (error) {
    const said = error.code === undefined ? String(error) : `${error.code}: ${error.message}`;
    element('answer-title').replaceChildren(
      Object.assign(document.createElement('span'), { className: 'error', textContent: said }),
    );
    element('answer').replaceChildren();
  }
}

void guarded(start);

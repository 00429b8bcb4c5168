/** The thread of Oxigraph: it has no deadlines, so a request that takes too long ends its thread. */
import { parentPort } from 'node:worker_threads';
import { parse, Store } from 'oxigraph';

const N_QUADS = 'application/n-quads';

// Not `load`, which gives blank nodes other names.
function storeOf(nquads) {
  const store = new Store();
  for (const quad of parse(nquads, { format: N_QUADS })) store.add(quad);
  return store;
}

function answerOf(store, { form, text }) {
  try {
    if (form === 'UPDATE') {
      store.update(text);
      return { type: 'quads', text: store.dump({ format: N_QUADS }) };
    }
    if (form === 'ASK') return { type: 'boolean', value: store.query(text) };
    if (form === 'SELECT') return { type: 'bindings', text: store.query(text, { results_format: 'json' }) };
    return { type: 'quads', text: store.query(text, { results_format: N_QUADS }) };
  } catch (error) {
    return { type: 'error', message: String(error) };
  }
}

parentPort.on('message', ({ nquads, requests }) => {
  let store = storeOf(nquads);
  for (const request of requests) {
    parentPort.postMessage(answerOf(store, request), []);
    if (request.form === 'UPDATE') store = storeOf(nquads);
  }
});

/** The nodes as a list; the selected one with its facts and its links, which lead on. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { number, text } from '../../../messages/en.js';
import type { Network, Node } from '../../../rows/network.js';
import { TermView } from '../../../terms/term-view.js';
import { SearchField } from '../../../ui/search-field.js';

interface Properties {
  readonly network: Network;
  readonly names: ReadonlyMap<string, string>;
  readonly selected: string | undefined;
  readonly onSelect: (id: string | undefined) => void;
}

export function NodeList(properties: Properties) {
  const { network, selected } = properties;
  const node = network.nodes.find(({ id }) => id === selected);
  return (
    <aside class="graph-list" aria-label={text.graph.nodes} tabIndex={0}>
      {node === undefined ? <Nodes {...properties} /> : <Details key={selected} {...properties} node={node} />}
    </aside>
  );
}

function Nodes({ network, names, onSelect }: Properties) {
  const [filter, setFilter] = useState('');
  const wanted = filter.toLowerCase();
  return (
    <>
      <SearchField label={text.graph.find} value={filter} onInput={setFilter} />
      <List
        rows={network.nodes.filter(({ id }) => names.get(id)!.toLowerCase().includes(wanted))}
        show={({ id }) => <NodeButton id={id} names={names} onSelect={onSelect} />}
      />
    </>
  );
}

type NodeButtonProperties = Pick<Properties, 'names' | 'onSelect'> & { readonly id: string };

function NodeButton({ id, names, onSelect }: NodeButtonProperties) {
  return (
    <button type="button" class="graph-node" onClick={() => onSelect(id)}>
      <bdi>{names.get(id)}</bdi>
    </button>
  );
}

function Details({ network, names, onSelect, node: { id, facts } }: Properties & { readonly node: Node }) {
  const links = network.links.filter(({ from, to }) => from === id || to === id);
  return (
    <>
      <button type="button" class="button small" onClick={() => onSelect(undefined)}>
        {text.graph.unselect}
      </button>
      <h3>
        <bdi>{names.get(id)}</bdi>
      </h3>
      <TermView cell={id} />
      <List
        rows={facts}
        show={({ predicate = '', value }) => (
          <>
            <TermView cell={predicate} /> <TermView cell={value} />
          </>
        )}
      />
      <h4>
        {text.graph.links} <span class="muted">{number(links.length)}</span>
      </h4>
      <List
        rows={links}
        show={({ from, predicate = '', to }) => (
          <>
            {from === id ? text.graph.goes : text.graph.comes} <TermView cell={predicate} />{' '}
            <NodeButton id={from === id ? to : from} names={names} onSelect={onSelect} />
          </>
        )}
      />
    </>
  );
}

const AT_ONCE = 100;

interface ListProperties<T> {
  readonly rows: readonly T[];
  readonly show: (row: T) => ComponentChildren;
}

/** The first rows, and a button for more. */
function List<T>({ rows, show }: ListProperties<T>) {
  const [most, setMost] = useState(AT_ONCE);
  return (
    <>
      <ul>
        {rows.slice(0, most).map((row, place) => (
          <li key={place}>{show(row)}</li>
        ))}
      </ul>
      {rows.length > most && (
        <button type="button" class="button small" onClick={() => setMost(most + AT_ONCE)}>
          {text.graph.more(rows.length - most)}
        </button>
      )}
    </>
  );
}

/** The answer as a graph of nodes and links, with the same as a list beside it. */
import { useMemo, useState } from 'preact/hooks';
import { text } from '../../../messages/en.js';
import type { Answer } from '../../../rows/answer.js';
import type { Network, NetworkChoice, Roles } from '../../../rows/network.js';
import { parseTerm, shortName } from '../../../rows/term.js';
import { namespaces } from '../../../state/repository.js';
import { Choice } from '../../../ui/choice.js';
import { useLoaded } from '../../../ui/use-loaded.js';
import { Canvas } from './canvas.js';
import { type Layout, LAYOUTS } from './draw.js';
import { NodeList } from './node-list.js';

/** More nodes are drawn when the user asks for them. */
const MOST_NODES = 2000;

export function Graph({ answer }: { readonly answer: Answer }) {
  const [choice, setChoice] = useState<NetworkChoice>({
    mostNodes: MOST_NODES,
    languages: navigator.languages,
  });
  const [layout, setLayout] = useState<Layout | undefined>(undefined);
  const { value: network } = useLoaded(() => answer.network(choice), [answer, answer.arranged.value, choice]);
  if (network === undefined) return <p class="loading">{text.loading}</p>;
  const { roles, resources, nodes, left, places, rows } = network;
  if (roles === undefined || nodes.length === 0) return <p class="empty-note">{text.graph.none}</p>;
  const names = answer.columns.value!;
  const column = (role: keyof Roles, list: readonly number[]) => (
    <Choice
      label={text.graph[role]}
      options={list.map((index) => [String(index), names[index] ?? text.graph.noLink])}
      selected={String(roles[role])}
      onSelect={(index) => setChoice({ ...choice, [role]: Number(index) })}
    />
  );
  const shape = layout ?? (places === undefined ? 'rings' : 'forces');
  return (
    <div class="graph">
      <div class="row chart-choices">
        {column('from', [...new Set([...resources, roles.from])])}
        {column('to', [...names.keys()])}
        {column('link', [-1, ...names.keys()])}
        <Choice
          label={text.graph.layout}
          options={LAYOUTS.map((name) => [name, text.graph.layouts[name]])}
          selected={shape}
          onSelect={(name) => setLayout(name as Layout)}
        />
      </div>
      {left > 0 && (
        <p class="notice warning">
          {text.graph.cut(nodes.length, left)}
          <button
            type="button"
            class="button small"
            onClick={() => setChoice({ ...choice, mostNodes: nodes.length + left })}
          >
            {text.graph.all(nodes.length + left)}
          </button>
        </p>
      )}
      {answer.progress.value.shown > rows && <p class="muted">{text.chart.cut(rows)}</p>}
      <Parts network={network} layout={shape} />
    </div>
  );
}

function Parts({ network, layout }: { readonly network: Network; readonly layout: Layout }) {
  const [selected, setSelected] = useState<string | undefined>(undefined);
  const known = namespaces.value;
  const names = useMemo(() => {
    const { nodes } = network;
    return new Map(nodes.map(({ id, label }) => [id, label ?? shortName(parseTerm(id), known)]));
  }, [network, known]);
  return (
    <div class="graph-parts">
      <Canvas network={network} names={names} layout={layout} selected={selected} onSelect={setSelected} />
      <NodeList network={network} names={names} selected={selected} onSelect={setSelected} />
    </div>
  );
}

/** The drawing, and the keys that move through it. */
import { useEffect, useRef } from 'preact/hooks';
import { text } from '../../../messages/en.js';
import { hrefOf, navigate } from '../../../router.js';
import { parseTerm, shortName } from '../../../rows/term.js';
import { status } from '../../../state/notices.js';
import { namespaces, repository } from '../../../state/repository.js';
import { at } from '../../../state/revision.js';
import { Icon, type IconName } from '../../../ui/icon.js';
import { draw, type Drawn, type Layout } from './draw.js';
import type { Network } from '../../../rows/network.js';

interface Properties {
  readonly network: Network;
  /** Of the nodes. */
  readonly names: ReadonlyMap<string, string>;
  readonly layout: Layout;
  readonly selected: string | undefined;
  readonly onSelect: (id: string | undefined) => void;
}

const DIRECTIONS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
};
const ZOOM = 1.3;

export function Canvas({ network, names, layout, selected, onSelect }: Properties) {
  const box = useRef<HTMLDivElement>(null);
  const drawn = useDrawn(box, { network, names, layout, onSelect });
  useEffect(() => {
    drawn.current?.select(selected);
    if (selected === undefined) return;
    const links = network.links.filter(({ from, to }) => from === selected || to === selected).length;
    status.value = text.graph.selected(names.get(selected) ?? '', links);
  }, [selected]);
  const pressed = (event: KeyboardEvent): void => {
    const direction = DIRECTIONS[event.key];
    if (direction !== undefined) {
      const next = drawn.current?.neighbour(selected, ...direction);
      if (next !== undefined) onSelect(next);
    } else if (event.key === '+') drawn.current?.zoom(ZOOM);
    else if (event.key === '-') drawn.current?.zoom(1 / ZOOM);
    else if (event.key === 'Enter' && selected !== undefined) openPage(selected);
    else return;
    event.preventDefault();
  };
  return (
    <div class="graph-drawing">
      <div
        ref={box}
        class="graph-canvas"
        role="application"
        aria-label={text.graph.described(network.nodes.length, network.links.length)}
        aria-describedby="graph-keys"
        tabIndex={0}
        onKeyDown={pressed}
        onFocus={() => drawn.current?.wheel(true)}
        onBlur={() => drawn.current?.wheel(false)}
      />
      <p id="graph-keys" class="hidden-text">
        {text.graph.keys}
      </p>
      <div class="graph-tools">
        <Tool icon="plus" label={text.graph.zoomIn} onUse={() => drawn.current?.zoom(ZOOM)} />
        <Tool icon="minus" label={text.graph.zoomOut} onUse={() => drawn.current?.zoom(1 / ZOOM)} />
        <Tool icon="fit" label={text.graph.fit} onUse={() => drawn.current?.fit()} />
      </div>
    </div>
  );
}

function Tool({ icon, label, onUse }: { readonly icon: IconName; readonly label: string; readonly onUse: () => void }) {
  return (
    <button type="button" class="button square" aria-label={label} title={label} onClick={onUse}>
      <Icon name={icon} />
    </button>
  );
}

function useDrawn(
  box: { readonly current: HTMLDivElement | null },
  { network, names, layout, onSelect }: Omit<Properties, 'selected'>,
): { readonly current: Drawn | undefined } {
  const drawn = useRef<Drawn | undefined>(undefined);
  useEffect(() => {
    const links = network.links.map(({ from, to, predicate }) => ({
      from,
      to,
      label: predicate === undefined ? '' : shortName(parseTerm(predicate), namespaces.value),
    }));
    const nodes = network.nodes.map(({ id }) => ({ id, label: names.get(id)! }));
    drawn.current = draw(box.current!, { nodes, links, layout, places: network.places, onSelect });
    return () => drawn.current?.destroy();
  }, [network, names, layout]);
  return drawn;
}

/** Blank nodes have no page. */
function openPage(id: string): void {
  const { kind, value } = parseTerm(id);
  if (kind === 'iri') navigate(hrefOf('resource', repository.value, { iri: value, at: at.value }));
}

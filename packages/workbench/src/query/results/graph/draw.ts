/** Draws a graph with cytoscape, in the colours of the page. */
import cytoscape, { type Core, type LayoutOptions, type StylesheetJson } from 'cytoscape';
import type { Places } from '../../../rows/forces.js';
import { colour, followTheme } from '../../../state/preferences.js';

export const LAYOUTS = ['forces', 'tree', 'rings', 'grid'] as const;
export type Layout = (typeof LAYOUTS)[number];

export interface DrawnNode {
  readonly id: string;
  readonly label: string;
}

export interface DrawnLink {
  readonly from: string;
  readonly to: string;
  readonly label: string;
}

export interface Picture {
  readonly nodes: readonly DrawnNode[];
  readonly links: readonly DrawnLink[];
  readonly layout: Layout;
  /** By the numbers of the nodes, for forces. */
  readonly places: Places | undefined;
  /** A node was clicked, or the ground, which is no node. */
  readonly onSelect: (id: string | undefined) => void;
}

export interface Drawn {
  /** Marks a node and brings it into view. */
  readonly select: (id: string | undefined) => void;
  /** The next node in a direction, from the selected one. */
  readonly neighbour: (id: string | undefined, x: number, y: number) => string | undefined;
  readonly zoom: (factor: number) => void;
  readonly fit: () => void;
  /** Whether the wheel zooms; else the page scrolls. */
  readonly wheel: (on: boolean) => void;
  readonly destroy: () => void;
}

const PADDING = 28;

export function draw(parent: HTMLElement, picture: Picture): Drawn {
  const { nodes, links, places, onSelect } = picture;
  const known = new Set(nodes.map(({ id }) => id));
  const counts = new Map<string, number>();
  for (const id of links.flatMap(({ from, to }) => [from, to])) counts.set(id, (counts.get(id) ?? 0) + 1);
  const cy = cytoscape({
    container: parent,
    elements: {
      nodes: nodes.map((data, number) => ({
        data: { ...data, links: counts.get(data.id) ?? 0 },
        ...(places && { position: { x: places.x[number]!, y: places.y[number]! } }),
      })),
      edges: links.map(({ from, to, label }) => ({ data: { source: from, target: to, label } })),
    },
    style: styles(),
    layout: layoutOf(picture),
    userZoomingEnabled: false,
    boxSelectionEnabled: false,
    autounselectify: true,
    maxZoom: 4,
  });
  cy.on('tap', ({ target }: { target: unknown }) => {
    const id = target === cy ? undefined : (target as { id: () => string }).id();
    if (id === undefined || known.has(id)) onSelect(id);
  });
  return { ...commandsOf(cy), destroy: destroyer(cy, parent) };
}

function commandsOf(cy: Core): Omit<Drawn, 'destroy'> {
  return {
    select: (id) => {
      cy.elements().removeClass('chosen near');
      if (id === undefined) return;
      const node = cy.getElementById(id);
      node.addClass('chosen');
      node.connectedEdges().addClass('near');
      const { x1, x2, y1, y2 } = cy.extent();
      const { x, y } = node.position();
      if (x < x1 || x > x2 || y < y1 || y > y2) cy.center(node);
    },
    neighbour: (id, x, y) => nextNode(cy, id, x, y),
    zoom: (factor) =>
      void cy.zoom({ level: cy.zoom() * factor, renderedPosition: { x: cy.width() / 2, y: cy.height() / 2 } }),
    fit: () => void cy.fit(undefined, PADDING),
    wheel: (on) => void cy.userZoomingEnabled(on),
  };
}

/** The nearest node of those that lie more in the direction than beside it. */
function nextNode(cy: Core, id: string | undefined, x: number, y: number): string | undefined {
  const from = id === undefined ? undefined : cy.getElementById(id).position();
  if (from === undefined) return cy.nodes()[0]?.id();
  let [best, least]: [string | undefined, number] = [undefined, Infinity];
  cy.nodes().forEach((node) => {
    const place = node.position();
    const [dx, dy] = [place.x - from.x, place.y - from.y];
    const along = dx * x + dy * y;
    const aside = Math.abs(dx * y) + Math.abs(dy * x);
    const distance = along + 2 * aside;
    if (along > 0 && aside <= along * 1.5 && distance < least) [best, least] = [node.id(), distance];
  });
  return best;
}

function layoutOf({ layout, places }: Picture): LayoutOptions {
  const shape = { fit: true, padding: PADDING, animate: false };
  if (layout === 'tree') return { ...shape, name: 'breadthfirst', spacingFactor: 1.1 };
  if (layout === 'grid') return { ...shape, name: 'grid' };
  if (layout === 'rings' || places === undefined) return { ...shape, name: 'concentric', minNodeSpacing: 34 };
  return { ...shape, name: 'preset' };
}

function styles(): StylesheetJson {
  const written = { label: 'data(label)', 'font-family': 'system-ui, sans-serif', 'min-zoomed-font-size': 7 };
  return [
    {
      selector: 'node',
      style: {
        ...written,
        width: 'mapData(links, 1, 40, 18, 44)',
        height: 'mapData(links, 1, 40, 18, 44)',
        color: colour('--ink'),
        'background-color': colour('--accent'),
        'font-size': 'mapData(links, 1, 40, 12, 30)',
        'text-valign': 'bottom',
        'text-margin-y': 4,
        'text-max-width': '130px',
        'text-wrap': 'ellipsis',
      },
    },
    {
      selector: 'edge',
      style: {
        ...written,
        width: 1.4,
        color: colour('--muted'),
        'font-size': 10,
        'min-zoomed-font-size': 9,
        'curve-style': 'bezier',
        'line-color': colour('--line-strong'),
        'target-arrow-color': colour('--line-strong'),
        'target-arrow-shape': 'triangle',
        'arrow-scale': 0.8,
        'text-rotation': 'autorotate',
        'text-background-color': colour('--surface'),
        'text-background-opacity': 1,
      },
    },
    {
      selector: '.near',
      style: { width: 2.4, 'line-color': colour('--warm'), 'target-arrow-color': colour('--warm') },
    },
    {
      selector: '.chosen',
      style: { 'background-color': colour('--warm'), 'font-weight': 'bold', 'z-index': 10 },
    },
  ];
}

/** Follows the theme and the size of the element until the graph is taken away. */
function destroyer(cy: Core, parent: HTMLElement): () => void {
  const unfollow = followTheme(() => void cy.style(styles()));
  const sizes = new ResizeObserver(() => cy.resize());
  sizes.observe(parent);
  return () => {
    unfollow();
    sizes.disconnect();
    cy.destroy();
  };
}

/** What a name in a query stands for: the whole IRI, and the label that the repository has for it. */
import { syntaxTree } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { hoverTooltip } from '@codemirror/view';
import type { CompletionSource } from './completion-source.js';

export const hover = ({ namespaces, label }: CompletionSource): Extension =>
  hoverTooltip(async ({ state }, at, side) => {
    const { name, from, to } = syntaxTree(state).resolveInner(at, side);
    const iri = iriOf(name, state.sliceDoc(from, to), declaredIn(state.doc.toString(), namespaces()));
    if (iri === undefined) return null;
    const found = await label(iri).catch(() => undefined);
    return { pos: from, end: to, above: true, create: () => ({ dom: tooltipOf(iri, found) }) };
  });

/** Prefixes of the text come before those of the repository. */
function declaredIn(query: string, known: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  const found = new Map(Object.entries(known));
  for (const [, prefix, iri] of query.matchAll(/\bPREFIX\s+([\w-]*):\s*<([^<>\s]*)>/gi)) found.set(prefix!, iri!);
  return found;
}

function iriOf(kind: string, text: string, prefixes: ReadonlyMap<string, string>): string | undefined {
  if (kind === 'IriRef') return text.slice(1, -1);
  if (kind !== 'PName') return undefined;
  const colon = text.indexOf(':');
  const start = prefixes.get(text.slice(0, colon));
  return start === undefined ? undefined : start + text.slice(colon + 1);
}

function tooltipOf(iri: string, label: string | undefined): HTMLElement {
  const box = document.createElement('div');
  box.className = 'cm-hover-term';
  if (label !== undefined) {
    const strong = document.createElement('strong');
    strong.textContent = label;
    box.append(strong);
  }
  const code = document.createElement('bdi');
  code.textContent = `<${iri}>`;
  box.append(code);
  return box;
}

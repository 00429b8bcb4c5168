/** Keys of a tree by the pattern of ARIA: one item is in the order of Tab, arrows move between those that are shown. */

/**
 * Moves the focus, or opens and closes an item by a click on it.
 * @returns whether the key meant something
 */
export function moveInTree(event: KeyboardEvent): boolean {
  const tree = event.currentTarget as HTMLElement;
  const items = [...tree.querySelectorAll<HTMLElement>('[role=treeitem]')];
  const at = items.indexOf(document.activeElement as HTMLElement);
  const item = items[at];
  if (item === undefined) return false;
  const isOpen = item.getAttribute('aria-expanded');
  const toggles =
    (event.key === 'ArrowRight' && isOpen === 'false') || (event.key === 'ArrowLeft' && isOpen === 'true');
  if (toggles || (event.key === 'Enter' && isOpen !== null)) item.querySelector<HTMLElement>('[data-toggle]')?.click();
  else {
    const targets: Readonly<Record<string, HTMLElement | null | undefined>> = {
      ArrowDown: items[at + 1],
      ArrowUp: items[at - 1],
      ArrowRight: item.querySelector<HTMLElement>('[role=treeitem]'),
      ArrowLeft: item.parentElement?.closest<HTMLElement>('[role=treeitem]'),
      Home: items[0],
      End: items.at(-1),
    };
    if (!(event.key in targets)) return false;
    targets[event.key]?.focus();
  }
  event.preventDefault();
  return true;
}

// An editor over RDF/JS: changes are made in a dataset in memory, saved as one revision each, and undone by revisions.
import { Store } from 'n3';

export class Editor {
  /** What is edited: an RDF/JS DatasetCore, so any library for RDF/JS can change it. */
  dataset = new Store();
  #repo;
  #pattern;
  #saved = new Store();
  /** The revisions that undo and redo would revert, the next one last. */
  #undo = [];
  #redo = [];

  /** @param pattern which quads are edited, such as `{ subject }` */
  static async open(repo, pattern = {}) {
    const editor = new Editor();
    editor.#repo = repo;
    editor.#pattern = pattern;
    await editor.#read();
    return editor;
  }

  get hasChanges() {
    return this.#added().length + this.#removed().length > 0;
  }

  get canUndo() {
    return this.#undo.length > 0;
  }

  get canRedo() {
    return this.#redo.length > 0;
  }

  /** Commits the changes as one revision. Quads that others have changed meanwhile stay as they are. */
  async save(message) {
    if (!this.hasChanges) return undefined;
    const [added, removed] = [this.#added(), this.#removed()];
    const revision = await this.#repo.transaction(
      async (transaction) => {
        await transaction.remove(removed);
        await transaction.add(added);
      },
      { message },
    );
    this.#undo.push(revision);
    this.#redo = [];
    await this.#read();
    return revision;
  }

  /** Takes back the last saved change, also if others have committed since. */
  async undo() {
    return this.#take(this.#undo, this.#redo, 'undo');
  }

  /** Takes back the last undo. */
  async redo() {
    return this.#take(this.#redo, this.#undo, 'redo');
  }

  async #take(from, to, what) {
    const last = from.at(-1);
    if (last === undefined) return undefined;
    const revision = await this.#repo.revert(last, { message: `${what}: ${last.message ?? ''}` });
    from.pop();
    to.push(revision);
    await this.#read();
    return revision;
  }

  async #read() {
    const quads = await this.#repo.quads(this.#pattern).toArray();
    this.#saved = new Store(quads);
    this.dataset = new Store(quads);
  }

  #added() {
    return [...this.dataset].filter((quad) => !this.#saved.has(quad));
  }

  #removed() {
    return [...this.#saved].filter((quad) => !this.dataset.has(quad));
  }
}

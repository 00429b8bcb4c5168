/** The library as a page has it: what a test calls of it stands in the global `quadrille`. */
import * as quadrille from 'quadrille';
import { deleteIndexedDb } from '@quadrille/storage-browser';

const library = { ...quadrille, deleteIndexedDb };
export type Library = typeof library;
Object.assign(globalThis, { quadrille: library });

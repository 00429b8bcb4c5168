/** The place of a value. */

import type { Bytes } from '@quadrille/storage';
import type { PackSlice } from '../contract.js';
import type { PackRef } from './change.js';

/** A short value itself, or where a long one is. */
export type Slot = { readonly value: Bytes } | (Omit<PackSlice, 'pack'> & { readonly pack: PackRef });

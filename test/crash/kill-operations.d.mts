import type { Tuning } from '@quadrille/core';
import type { Operation, State } from '../model/operations.mjs';

export const REPOSITORY: string;
export const TUNING: Partial<Tuning>;
export function operationsOf(seed: number, index: number, head: number): Operation;
export function digestOf(state: State): string;

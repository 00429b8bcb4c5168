/** Plans whose operators are always loaded: joins of patterns by seeks. */
import type { Plan } from '../plan/plan.js';

const SIMPLE = ['unit', 'seed', 'values', 'scan', 'seek', 'star', 'union', 'project', 'slice'] as const;
export type SimplePlan = Extract<Plan, { type: (typeof SIMPLE)[number] }>;

const TYPES: ReadonlySet<string> = new Set(SIMPLE);

export const isSimple = (plan: Plan): plan is SimplePlan => TYPES.has(plan.type);

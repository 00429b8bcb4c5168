/** What an agent hears of the tools. The build replaces this file by one that has the list as a text. */
import { listedTools } from '@quadrille/server/mcp-lines';

export type ToolList = ReturnType<typeof listedTools>;

export const toolList = (): ToolList => listedTools();

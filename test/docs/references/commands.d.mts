interface Command {
  name(): string;
  readonly commands: readonly Command[];
}
export function commandsOf(program: Command, name?: string): { readonly name: string; readonly command: Command }[];
export function commandText(one: { readonly name: string; readonly command: Command }, level: number): string;

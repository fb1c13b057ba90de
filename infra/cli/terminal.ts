import { styleText } from "node:util";

export type Style = "bold" | "dim" | "red" | "yellow" | "green";

/** Whether what is written there may be coloured: a terminal whose user does not refuse (no-color.org). */
export function wantsColor(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): boolean {
  return stream.isTTY === true && !env.NO_COLOR;
}

export function paint(style: Style, text: string): string {
  return wantsColor(process.stdout, process.env) ? styleText(style, text) : text;
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Rows under a heading, each column as wide as its widest cell; the last one runs free. */
export function tableText(heading: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = heading.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  return [heading, ...rows].map((row) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
}

import { readFileSync } from "node:fs";

/** A row of `docs/algorithm.md` whose first cell is an id. */
export interface WorkedRow {
  readonly id: string;
  readonly answer: string;
  readonly arithmetic: string;
}

const ID = /^E-\d+$/;

/** The worked rows in the order of the page. Throws for one in a table without an `answer` column. */
export function workedRows(): readonly WorkedRow[] {
  const page = readFileSync(new URL("../../../../docs/algorithm.md", import.meta.url), "utf8");
  let header: readonly string[] = [];
  return page.split("\n").flatMap((line) => {
    if (!line.startsWith("|")) return [];
    const cells = cellsOf(line);
    const [id = ""] = cells;
    if (id === "id") header = cells;
    if (!ID.test(id)) return [];
    const answer = cells[header.indexOf("answer")];
    if (answer === undefined || cells.length !== header.length)
      throw new Error(`${id}: not in step with its header`);
    return [{ id, answer, arithmetic: cells[header.indexOf("arithmetic")] ?? "" }];
  });
}

function cellsOf(line: string): readonly string[] {
  return line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
}

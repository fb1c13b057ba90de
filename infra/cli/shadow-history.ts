import { listShadows, type Span } from "#app/ledger/read-ledger";
import { formatInstant } from "#domain/units/instant";
import type { RecordHead } from "#wire/decision-record";
import type { ObjectId } from "#wire/keys";
import { ledgerOf } from "./ledger-state.ts";
import type { StateConnection } from "./state-connection.ts";
import { paint, print, tableText } from "./terminal.ts";

/** `mainsheet history --shadow`: what the other spec wanted beside the real one, where either said something new. */
export async function showShadowHistory(
  state: StateConnection,
  id: ObjectId,
  span: Span,
  json: boolean,
): Promise<void> {
  const shadows = await listShadows(ledgerOf(state), id, span);
  const lines = json ? [JSON.stringify(shadows.map((shadow) => jsonOf(id, shadow)))] : shadowLines(shadows);
  for (const line of lines) print(line);
}

/** What a terminal shows of it. */
export function shadowLines(shadows: readonly RecordHead[]): readonly string[] {
  if (shadows.length === 0)
    return ["no shadow decisions are on record; name a ConfigMap in mainsheet.io/shadow"];
  const [heading = "", ...rows] = tableText(
    ["AT", "RUNS", "REAL", "SHADOW", "BY", "REAL CAUSE", "SHADOW CAUSE"],
    shadows.map(({ atMs, from, to, shadow, summary }) => [
      formatInstant(atMs),
      countText(from),
      countText(shadow?.real.to),
      countText(to),
      shadow?.configMap ?? "-",
      shadow?.real.summary ?? "-",
      summary,
    ]),
  );
  const painted = rows.map((row, index) => (isApart(shadows[index]) ? paint("yellow", row) : row));
  const [more, fewer] = [1, -1].map((sign) => shadows.filter((one) => Math.sign(apart(one)) === sign).length);
  const total = `of ${shadows.length} on record the shadow wanted more in ${more}, fewer in ${fewer}`;
  return [paint("bold", heading), ...painted, total];
}

function isApart(shadow: RecordHead | undefined): boolean {
  return shadow !== undefined && apart(shadow) !== 0;
}

/** How many more the shadow wanted; 0 where one of them could not decide. */
function apart({ to, shadow }: RecordHead): number {
  const real = shadow?.real.to;
  return to === undefined || real === undefined ? 0 : to - real;
}

function countText(count: number | undefined): string {
  return count === undefined ? "-" : String(count);
}

function jsonOf({ hub }: ObjectId, { atMs, from, to, result, message, shadow, summary, code }: RecordHead) {
  return {
    hub,
    at: formatInstant(atMs),
    result,
    ...(message === undefined ? {} : { message }),
    configMap: shadow?.configMap,
    replicas: from,
    real: shadow?.real,
    shadow: { ...(to === undefined ? {} : { to }), summary },
    code,
  };
}

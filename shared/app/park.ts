import { isPortFault } from "#ports/fault";
import type { TablePort } from "#ports/table";
import type { Telemetry } from "#ports/telemetry";
import { encodeParked, hubOf, type Parked } from "#wire/parked";

/** Keeps a message that cannot be worked. Parked twice it is one item, and what became of that item stays. */
export async function park(
  table: TablePort,
  message: Omit<Parked, "hub">,
  telemetry?: Telemetry,
): Promise<void> {
  const hub = hubOf(message.body);
  try {
    await table.put(encodeParked({ hub, ...message }), { if: "absent" });
    telemetry?.record({ hub }, { MessagesParked: 1 });
  } catch (error) {
    if (!isPortFault(error, "conflict")) throw error;
  }
}

import type { TablePort } from "#ports/table";
import { encodeParked, hubOf, type Parked } from "#wire/parked";

/** Keeps a message that cannot be worked. The same message parked twice is one item. */
export async function park(table: TablePort, message: Omit<Parked, "hub">): Promise<void> {
  await table.put(encodeParked({ hub: hubOf(message.body), ...message }), { if: "none" });
}

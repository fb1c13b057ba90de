import { isPortFault } from "#ports/fault";
import type { TablePort } from "#ports/table";
import { encodeParked, hubOf, type Parked } from "#wire/parked";

/** Keeps a message that cannot be worked. Parked twice it is one item, and what became of that item stays. */
export async function park(table: TablePort, message: Omit<Parked, "hub">): Promise<void> {
  try {
    await table.put(encodeParked({ hub: hubOf(message.body), ...message }), { if: "absent" });
  } catch (error) {
    if (!isPortFault(error, "conflict")) throw error;
  }
}

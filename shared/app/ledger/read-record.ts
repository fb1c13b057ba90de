import type { Compression } from "#ports/compression";
import { isPortFault } from "#ports/fault";
import type { Item } from "#ports/table";
import { bodyOf, type DecisionRecord, decodeDecisionRecord } from "#wire/decision-record";
import type { ObjectId } from "#wire/keys";
import type { Loaded } from "#wire/saved-decision";

/** The whole record that an item keeps; or one sentence why it cannot be read, a newer version's among them. */
export async function readRecord(
  compression: Compression,
  id: ObjectId,
  item: Item,
): Promise<Loaded<DecisionRecord>> {
  const { text, packed } = bodyOf(item);
  // Only what `decodeDecisionRecord` knows is unpacked: a newer version may pack in another way.
  const known = decodeDecisionRecord(id, item, "");
  if (!known.ok || text === "") return known;
  try {
    return decodeDecisionRecord(id, item, packed ? await compression.decompress(text) : text);
  } catch (error) {
    if (!isPortFault(error)) throw error;
    return { ok: false, fault: `the record is damaged: ${error.message}` };
  }
}

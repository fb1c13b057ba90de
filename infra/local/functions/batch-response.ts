/**
 * Which messages of a batch failed, from what the function returned under ReportBatchItemFailures: nothing, an empty
 * object, null or an empty list mean none; an answer that cannot be read means all of them (B87). Ref: Lambda
 * Developer Guide, "Implementing partial batch responses", success and failure conditions.
 */
export function failedMessages(response: unknown, messageIds: readonly string[]): ReadonlySet<string> {
  const all = new Set(messageIds);
  if (response === null || response === undefined) return new Set();
  if (typeof response !== "object") return all;
  const failures: unknown = (response as { batchItemFailures?: unknown }).batchItemFailures;
  if (failures === null || failures === undefined) return new Set();
  if (!Array.isArray(failures)) return all;
  const failed = failures.map((failure: { itemIdentifier?: unknown } | null) => failure?.itemIdentifier);
  const isReadable = failed.every((id) => typeof id === "string" && all.has(id));
  return isReadable ? new Set(failed as string[]) : all;
}

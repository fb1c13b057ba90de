import { expect } from "vitest";
import { isPortFault, type PortFault, type PortFaultKind } from "#ports/fault";

/** Expects a fault of this kind, and gives it. */
export async function expectFault(kind: PortFaultKind, outcome: Promise<unknown>): Promise<PortFault> {
  const error = await outcome.then(
    (value) => ({ instead: value }),
    (thrown: unknown) => thrown,
  );
  expect(isPortFault(error) ? error.kind : error).toBe(kind);
  return error as PortFault;
}

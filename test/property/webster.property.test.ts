import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { allocateSeats, type NameOrder, type Party } from "#domain/placement/webster";

/** The definition, one seat at a time, as the scheduler's heap hands them out. */
function seatBySeat(newSeats: number, parties: readonly Party[], order: NameOrder): readonly Party[] {
  const running = parties.map((party) => ({ ...party }));
  const direction = order === "ascending" ? 1 : -1;
  for (let given = 0; given < newSeats; given++) {
    const [next] = [...running].sort(
      (left, right) =>
        right.votes / (2 * right.seats + 1) - left.votes / (2 * left.seats + 1) ||
        left.seats - right.seats ||
        (left.name < right.name ? -direction : direction),
    );
    if (next !== undefined) next.seats++;
  }
  return running;
}

const seatsOf = (list: readonly Party[]) => list.reduce((sum, party) => sum + party.seats, 0);

const votes = fc.oneof(fc.nat(5), fc.nat(1000), fc.nat(2 ** 31 - 1), fc.constantFrom(0, 1, 3, 9, 27));
const parties = (held: number) =>
  fc
    .array(fc.record({ votes, seats: held === 0 ? fc.constant(0) : fc.nat(held) }), { maxLength: 8 })
    .map((list) => list.map((party, index) => ({ name: `member${(index * 7) % 11}`, ...party })));
const order = fc.constantFrom("ascending" as const, "descending" as const);

describe("Webster's division in one jump", () => {
  it("gives, seat for seat, what the naive form gives", () => {
    fc.assert(
      fc.property(fc.oneof(fc.nat(12), fc.nat(400)), parties(0), order, (newSeats, list, names) => {
        expect(allocateSeats(newSeats, list, names)).toEqual(seatBySeat(newSeats, list, names));
      }),
      { numRuns: 1000 },
    );
  });

  it("also when it goes on from seats that are held", () => {
    fc.assert(
      fc.property(fc.nat(200), parties(100), order, (newSeats, list, names) => {
        expect(allocateSeats(newSeats, list, names)).toEqual(seatBySeat(newSeats, list, names));
      }),
      { numRuns: 500 },
    );
  });

  it("hands out up to 2^31 − 1 seats at once, all of them, and more seats never cost anyone one (house monotony)", () => {
    fc.assert(
      fc.property(fc.nat(2 ** 31 - 1), parties(2 ** 30), order, (newSeats, list, names) => {
        fc.pre(list.length > 0);
        const fewer = allocateSeats(newSeats, list, names);
        const more = allocateSeats(newSeats + 1, list, names);
        expect(seatsOf(fewer)).toBe(seatsOf(list) + newSeats);
        expect(more.every((party, index) => party.seats >= (fewer[index]?.seats ?? 0))).toBe(true);
      }),
    );
  });
});

/**
 * Division of seats by the Webster (Sainte-Laguë) method, as Karmada's scheduler does it since v1.16 (semantics 4.8):
 * one seat at a time to the greatest votes / (2·seats + 1), compared as doubles; among equals to the one with fewer
 * seats, then by name.
 */
export interface Party {
  readonly name: string;
  /** Finite and ≥ 0. Parties without votes get a seat only where nobody has votes. */
  readonly votes: number;
  /** Seats it holds already, whose quotients are used up. */
  readonly seats: number;
}

/** Which of two names goes first among equals. */
export type NameOrder = "ascending" | "descending";

/**
 * The parties with `newSeats` more seats among them, in the order given; none get lost while there is a party.
 * Equal, seat for seat, to the naive method, in O(parties²) steps however many seats there are.
 *
 * How: the seats go to the greatest quotients, so every seat whose quotient is above a level with at most `newSeats`
 * quotients above it is certain, in any order. Those are given at once; the few that are left, one by one.
 *
 * @example 10 seats over 4:1 are 8/2; 7 over 2:1:1 are 3/2/2; 5 over 1:1 are 3/2, or 2/3 in descending order.
 */
export function allocateSeats(
  newSeats: number,
  parties: readonly Party[],
  order: NameOrder,
): readonly Party[] {
  if (parties.length === 0 || newSeats <= 0) return parties;
  const voting = withUsableVotes(parties);
  const level = certainLevel(newSeats, voting);
  const running = voting.map((party) => ({
    ...party,
    seats: Math.max(party.seats, certainSeats(party, level)),
  }));
  let remaining = newSeats + totalSeats(parties) - totalSeats(running);
  for (; remaining > 0; remaining--) {
    const next = running.reduce((best, party) => (goesFirst(party, best, order) ? party : best));
    next.seats++;
  }
  return parties.map((party, index) => ({ ...party, seats: running[index]?.seats ?? party.seats }));
}

/** Where nobody has votes all quotients are 0 and the fewest seats decide, exactly as if each had one vote. */
function withUsableVotes(parties: readonly Party[]): readonly Party[] {
  return parties.some((party) => party.votes > 0)
    ? parties
    : parties.map((party) => ({ ...party, votes: 1 }));
}

/** Enough halvings to tell apart the levels of 2^31 seats. */
const HALVINGS = 64;

/** A level with at most `newSeats` new quotients above it, and few less; the greatest vote where there is none. */
function certainLevel(newSeats: number, parties: readonly Party[]): number {
  let tooLow = 0;
  let level = Math.max(...parties.map((party) => party.votes));
  for (let step = 0; step < HALVINGS; step++) {
    const middle = (tooLow + level) / 2;
    const above = parties.reduce(
      (sum, party) => sum + Math.max(0, seatsAbove(party, middle) - party.seats),
      0,
    );
    if (above <= newSeats) level = middle;
    else tooLow = middle;
  }
  return level;
}

/** How many seats have votes / (2·s + 1) above the level, for s = 0, 1, …; rounding may put it off by one. */
function seatsAbove({ votes }: Party, level: number): number {
  return Math.floor((votes / level + 1) / 2);
}

/** Seats that are above the level beyond any rounding. */
function certainSeats(party: Party, level: number): number {
  return Math.max(0, seatsAbove(party, level) - 1);
}

function goesFirst(left: Party, right: Party, order: NameOrder): boolean {
  const leftQuotient = left.votes / (2 * left.seats + 1);
  const rightQuotient = right.votes / (2 * right.seats + 1);
  if (leftQuotient !== rightQuotient) return leftQuotient > rightQuotient;
  if (left.seats !== right.seats) return left.seats < right.seats;
  return order === "ascending" ? left.name < right.name : left.name > right.name;
}

function totalSeats(parties: readonly Party[]): number {
  return parties.reduce((sum, party) => sum + party.seats, 0);
}

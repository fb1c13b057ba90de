import type { Behavior } from "#domain/spec/federated-hpa";

/** How far current ÷ target may be from 1 before anything changes; fractions, per direction. */
export interface Tolerance {
  readonly down: number;
  readonly up: number;
}

/** The tolerance of one object: `behavior.scaleUp/scaleDown.tolerance`, where absent the controller's. */
export function toleranceOf(behavior: Behavior | undefined, controller: number): Tolerance {
  return {
    down: behavior?.scaleDown.tolerance ?? controller,
    up: behavior?.scaleUp.tolerance ?? controller,
  };
}

/**
 * 1 − down ≤ ratio ≤ 1 + up, the form of Kubernetes ≥ 1.33 (D-01). With 0.1 both edges stay: 55 % of 50 % (1.1) and
 * 45 % of 50 % (0.9). Karmada's |1 − ratio| ≤ 0.1 scales at 1.1, because 1 − 1.1 is −0.10000000000000009 (B13).
 */
export function isWithinTolerance(ratio: number, { down, up }: Tolerance): boolean {
  return 1 - down <= ratio && ratio <= 1 + up;
}

import type { Binding } from "#domain/fleet/snapshot";
import type { Placement } from "#domain/scale/placement";
import type { Footing } from "#domain/scale/proposal";
import type { Tolerance } from "#domain/scale/tolerance";

/**
 * What proposals are made against: the template and its calibration; while the members lag, what is placed, because
 * 60 pods at 100 % that stand for a template of 100 would else read as 166 % of it, and run away to max (B53). From
 * template 0 there is nothing to calibrate by but the number of copies.
 */
export function footingOf(
  template: number,
  binding: Binding | undefined,
  { visibleReplicas, placed, holdsScaleOut }: Placement,
  tolerance: Tolerance,
): Footing {
  if (template === 0) {
    const copies = binding?.duplicated ? Math.max(1, binding.clusters.length) : 1;
    return { currentReplicas: 0, calibration: copies, tolerance };
  }
  if (holdsScaleOut) {
    return { currentReplicas: Math.ceil(placed), calibration: visibleReplicas / placed, tolerance };
  }
  return { currentReplicas: template, calibration: visibleReplicas / template, tolerance };
}

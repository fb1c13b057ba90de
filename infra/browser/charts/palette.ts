/** The colours of a drawing, as the theme in force has them: custom properties of `theme.css`. */
export interface Palette {
  readonly text: string;
  readonly muted: string;
  readonly grid: string;
  readonly line: string;
  readonly target: string;
  readonly shadow: string;
  readonly limit: string;
  readonly trouble: string;
  readonly up: string;
  readonly down: string;
  readonly series: readonly string[];
}

/** How many clusters have a colour of their own; beyond that they come again. */
export const SERIES_COLORS = 8;

/** As they are for what stands below `at`. */
export function readPalette(at: HTMLElement): Palette {
  // A custom property is not computed, so that `light-dark()` would come as it was written; a colour is.
  const probe = at.ownerDocument.createElement("i");
  at.append(probe);
  const style = getComputedStyle(probe);
  const color = (name: string) => {
    probe.style.color = `var(--${name})`;
    return style.color;
  };
  const palette = {
    text: color("text"),
    muted: color("muted"),
    grid: color("grid"),
    line: color("line"),
    target: color("target"),
    shadow: color("shadow"),
    limit: color("limit"),
    trouble: color("trouble"),
    up: color("up"),
    down: color("down"),
    series: Array.from({ length: SERIES_COLORS }, (_, index) => color(`series-${index + 1}`)),
  };
  probe.remove();
  return palette;
}

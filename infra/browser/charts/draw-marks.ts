import type uPlot from "uplot";
import type { Palette } from "./palette.ts";
import type { Mark } from "./timeline.ts";

/** Marks of a kind that are closer than this, in CSS pixels, are drawn once: they would hide each other. */
const CLOSE = 10;

/**
 * Draws what happened on the replicas: a triangle that points up or down at the top for a scale, a bar along the bottom
 * while something limits or fails, a diamond for a cron run.
 */
export function drawMarks(u: uPlot, marks: readonly Mark[], stepSeconds: number, palette: Palette): void {
  const { ctx } = u;
  const { left, top, width, height } = u.bbox;
  const scale = devicePixelRatio;
  const last = new Map<Mark["kind"], number>();
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top - 8 * scale, width, height + 8 * scale);
  ctx.clip();
  for (const { atMs, kind } of marks) {
    const x = u.valToPos(atMs / 1000, "x", true);
    if (x < left - 20 * scale || x > left + width + 20 * scale) continue;
    if (kind === "limited" || kind === "trouble") {
      const end = u.valToPos(atMs / 1000 + stepSeconds, "x", true);
      ctx.fillStyle = kind === "limited" ? palette.limit : palette.trouble;
      const bar = kind === "limited" ? 5 : 9;
      ctx.fillRect(x, top + height - bar * scale, Math.max(scale, end - x), (bar === 9 ? 4 : 5) * scale);
      continue;
    }
    if (x - (last.get(kind) ?? Number.NEGATIVE_INFINITY) < CLOSE * scale) continue;
    last.set(kind, x);
    ctx.fillStyle = kind === "cron" ? palette.text : palette[kind];
    ctx.beginPath();
    trace(ctx, kind, x, top, scale);
    ctx.fill();
  }
  ctx.restore();
}

function trace(ctx: CanvasRenderingContext2D, kind: Mark["kind"], x: number, y: number, scale: number): void {
  const size = 6 * scale;
  if (kind === "up") {
    ctx.moveTo(x, y - size);
    ctx.lineTo(x + size, y + size);
    ctx.lineTo(x - size, y + size);
  } else if (kind === "down") {
    ctx.moveTo(x, y + size);
    ctx.lineTo(x + size, y - size);
    ctx.lineTo(x - size, y - size);
  } else {
    ctx.moveTo(x, y - size);
    ctx.lineTo(x + size, y);
    ctx.lineTo(x, y + size);
    ctx.lineTo(x - size, y);
  }
}

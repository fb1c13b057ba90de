import type { Page } from "playwright-core";

/** Texts whose contrast with what is behind them is below 4.5 (3 for large ones), WCAG 1.4.3; each once. */
export function faintTexts(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    type Color = readonly [number, number, number, number];
    const canvas = document.createElement("canvas");
    canvas.width = 1;
    canvas.height = 1;
    const context = canvas.getContext("2d", { willReadFrequently: true });
    const read = (color: string): Color => {
      context?.clearRect(0, 0, 1, 1);
      if (context) context.fillStyle = color;
      context?.fillRect(0, 0, 1, 1);
      const [r = 0, g = 0, b = 0, a = 0] = context?.getImageData(0, 0, 1, 1).data ?? [];
      return [r, g, b, a / 255];
    };
    const channel = (value: number) =>
      value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4;
    const light = ([r, g, b]: Color) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
    const behind = (at: Element | null): Color => {
      if (at === null) return [255, 255, 255, 1];
      const color = read(getComputedStyle(at).backgroundColor);
      return color[3] > 0.99 ? color : behind(at.parentElement);
    };
    const faint = new Set<string>();
    for (const at of document.querySelectorAll("body *")) {
      const hasText = [...at.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim());
      if (!hasText || at.getClientRects().length === 0) continue;
      const style = getComputedStyle(at);
      const [over, under] = [light(read(style.color)), light(behind(at))];
      const ratio = (Math.max(over, under) + 0.05) / (Math.min(over, under) + 0.05);
      const size = Number.parseFloat(style.fontSize);
      const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
      if (ratio < (isLarge ? 3 : 4.5)) faint.add(`${at.tagName} ${at.className}: ${ratio.toFixed(2)}`);
    }
    return [...faint];
  });
}

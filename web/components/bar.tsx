/** Stacked bars, their legend, and the range of an estimate. Lengths are the core's fractions; the parts' ids pick the colours. */
import type { BarPart } from "../protocol.ts";

/** Fractions become lengths here and nowhere else. */
const percent = (fraction: number): string => `${fraction * 100}%`;

export function Bar({ parts, large = false }: { parts: BarPart[]; large?: boolean }) {
  return (
    <span class={large ? "bar bar-large" : "bar"} aria-hidden="true">
      {parts.map((part) => (
        <span key={part.id} class={`part part-${part.id}`} style={{ width: percent(part.fraction) }} title={`${part.label} ${part.text}`} />
      ))}
    </span>
  );
}

export function Legend({ parts }: { parts: BarPart[] }) {
  return (
    <dl class="legend">
      {parts.map((part) => (
        <div key={part.id}>
          <dt><span class={`swatch part-${part.id}`} aria-hidden="true" />{part.label}</dt>
          <dd>{part.text}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The drawing's scale: from nothing to twice the value, the same for every row so that widths compare. */
const scale_from = 0;
const scale_to = 2;
const place = (factor: number): number => (Math.min(Math.max(factor, scale_from), scale_to) - scale_from) / (scale_to - scale_from);

export function Range({ low, high }: { low: number; high: number }) {
  return (
    <span class="range" aria-hidden="true">
      <span class="range-span" style={{ left: percent(place(low)), width: percent(place(high) - place(low)) }} />
      <span class="range-needle" style={{ left: percent(place(1)) }} />
    </span>
  );
}

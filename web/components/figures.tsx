import type { Figure } from "../protocol.ts";

/** Labelled numbers, each with its unit small and, where there is one, a quiet second line. */
export function Figures({ figures }: { figures: Figure[] }) {
  return (
    <dl class="figure-list">
      {figures.map((figure) => (
        <div key={figure.id}>
          <dt>{figure.label}</dt>
          <dd>
            {figure.text}{figure.unit && <> <span class="unit">{figure.unit}</span></>}
            {figure.range && <span class="quiet"> {figure.range}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

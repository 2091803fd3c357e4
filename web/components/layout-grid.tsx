/** Nodes × GPUs as drawn cells: the number in a cell is its group along the chosen kind of parallelism, the colour repeats it. */
import { useState } from "preact/hooks";
import type { Detail, RankCell } from "../protocol.ts";
import { useSay } from "../texts.ts";

type Axis = "tp" | "pp" | "dp" | "cp";
const axes: readonly Axis[] = ["tp", "pp", "dp", "cp"];

/** As many hues as the style sheet has; further groups start over, their numbers still differ. */
const hues = 8;

const varies = (ranks: RankCell[], axis: Axis): boolean => ranks.some((rank) => rank[axis] !== ranks[0]?.[axis]);

function byNode(ranks: RankCell[]): [number, RankCell[]][] {
  const nodes = new Map<number, RankCell[]>();
  for (const rank of ranks) nodes.set(rank.node, [...(nodes.get(rank.node) ?? []), rank]);
  return [...nodes];
}

export function LayoutGrid({ detail }: { detail: Detail }) {
  const say = useSay();
  const ranks = detail.ranks ?? [];
  const offered = axes.filter((axis) => varies(ranks, axis));
  const [wanted, setWanted] = useState<Axis | undefined>();
  const axis = wanted && offered.includes(wanted) ? wanted : offered[0];
  if (ranks.length < 2 || !axis) return null;
  return (
    <section class="layout">
      <h4>{say("page.detail.layout")}</h4>
      <div class="axes" role="group" aria-label={say("page.layout.color_by")}>
        {offered.map((each) => (
          <button key={each} type="button" class="plain" aria-pressed={each === axis} onClick={() => setWanted(each)}>{say(`page.layout.${each}`)}</button>
        ))}
      </div>
      <div class="nodes" tabIndex={0} role="group" aria-label={say("page.detail.layout")}>
        {byNode(ranks).map(([node, gpus]) => (
          <div key={node} class="node">
            <span class="node-name">{say("page.layout.node", { node })}</span>
            <span class="gpus">
              {gpus.map((rank) => (
                <span key={rank.gpu} class={`gpu hue-${rank[axis] % hues}`} role="img" title={say("page.layout.rank", { ...rank })} aria-label={say("page.layout.rank", { ...rank })}>
                  <span aria-hidden="true">{rank[axis]}</span>
                </span>
              ))}
            </span>
          </div>
        ))}
      </div>
      {detail.ranks_left_out ? <p class="quiet">{say("page.layout.left_out", { count: detail.ranks_left_out })}</p> : null}
    </section>
  );
}

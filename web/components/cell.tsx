/** The content of a cell: the text with its unit, and below it the quiet line, the bar or the range. */
import type { ComponentChildren } from "preact";
import type { Cell } from "../protocol.ts";
import { Bar, Range } from "./bar.tsx";

export function CellText({ cell, mark }: { cell: Cell; mark?: ComponentChildren }) {
  return (
    <>
      {cell.bar && cell.bar.length > 0 && <Bar parts={cell.bar} />}
      <span class={cell.range ? "main ranged" : "main"}>
        {cell.range && <Range low={cell.range[0]} high={cell.range[1]} />}
        <span class="text">
          <span class="figure">{cell.text}</span>
          {cell.unit && <> <span class="unit">{cell.unit}</span></>}
          {mark}
        </span>
      </span>
      {cell.sub && <span class="sub"> {cell.sub}</span>}
    </>
  );
}

export const cellClass = (cell: Cell, column: { id: string; number?: boolean }): string =>
  [`col-${column.id}`, column.number && "number", cell.strong && "strong", cell.weak && "weak"].filter(Boolean).join(" ");

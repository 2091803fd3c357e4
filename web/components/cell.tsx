/** The content of a cell: the text with its unit, and below it the quiet line, the bar or the range. */
import type { ComponentChildren } from "preact";
import type { Cell } from "../protocol.ts";
import { Bar, Range } from "./bar.tsx";

/** Pieces between dots ("tp 4"), and a number with its unit at the end ("24 GB"), are not parted at the end of a line. */
const longest_piece = 20, longest_end = 9;
const held = (piece: string, alone: boolean): string => {
  if (!alone && piece.length <= longest_piece) return piece;
  const end = piece.split(" ").slice(-2).join(" ");
  return end.length <= longest_end ? end : "";
};
function lines(text: string): ComponentChildren {
  const pieces = text.split(/(?<= ·) /);
  return pieces.map((piece, index) => {
    const end = held(piece, pieces.length === 1);
    return <>{index > 0 && " "}{piece.slice(0, piece.length - end.length)}{end && <span class="unparted">{end}</span>}</>;
  });
}

export function CellText({ cell, mark }: { cell: Cell; mark?: ComponentChildren }) {
  return (
    <>
      {cell.bar && cell.bar.length > 0 && <Bar parts={cell.bar} />}
      <span class={cell.range ? "main ranged" : "main"}>
        {cell.range && <Range low={cell.range[0]} high={cell.range[1]} />}
        <span class="text">
          <span class="figure">{lines(cell.text ?? "")}</span>
          {cell.unit && <> <span class="unit">{cell.unit}</span></>}
          {mark}
        </span>
      </span>
      {cell.sub && <span class="sub"> {lines(cell.sub)}</span>}
    </>
  );
}

export const cellClass = (cell: Cell, column: { id: string; number?: boolean }): string =>
  [`col-${column.id}`, column.number && "number", cell.strong && "strong", cell.weak && "weak"].filter(Boolean).join(" ");

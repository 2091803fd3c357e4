/** The recommended-instance tables as the core ranked them. A row opens in place. */
import type { Ask } from "../ask.ts";
import { CellText, cellClass } from "../components/cell.tsx";
import { Chevron } from "../components/icons.tsx";
import { ExportMenu } from "../components/export-menu.tsx";
import type { Column, Row, Table, View } from "../protocol.ts";
import type { Session } from "../session.ts";
import { useSay } from "../texts.ts";
import { RowDetail } from "./detail.tsx";

/** Which row is open, also across reloads: the table and the row's own key. */
const rowName = (table: Table, row: Row): string => `${table.id} ${row.key}`;

export function Tables({ view, ask, session }: { view: View; ask: Ask; session: Session }) {
  return (
    <div class="tables" id="tables">
      {view.tables.map((table) => <TierTable key={table.id} table={table} view={view} ask={ask} session={session} />)}
    </div>
  );
}

function TierTable({ table, view, ask, session }: { table: Table; view: View; ask: Ask; session: Session }) {
  return (
    <section class="tier" aria-labelledby={`tier-${table.id}`}>
      <header class="tier-head">
        <h2 id={`tier-${table.id}`}>{table.title}</h2>
        {table.subtitle && <p class={table.chosen ? "tier-subtitle tier-chosen" : "tier-subtitle"}>{table.subtitle}</p>}
        {table.summary && <p class="tier-summary">{table.summary}</p>}
        {table.rows.length > 0 && <ExportMenu table={table} view={view} ask={ask} />}
      </header>
      {table.rows.length === 0 ? <p class="tier-empty">{table.empty}</p> : <Rows table={table} ask={ask} session={session} />}
    </section>
  );
}

function Rows({ table, ask, session }: { table: Table; ask: Ask; session: Session }) {
  return (
    <table role="table" aria-labelledby={`tier-${table.id}`} class="rows">
      <TableHead columns={table.columns} />
      <tbody role="rowgroup">
        {table.rows.map((row, index) => {
          const name = rowName(table, row);
          const open = session.row === name;
          const id = `detail-${table.id}-${index}`;
          return [
            <RowLine key={row.key} row={row} columns={table.columns} open={open} detailId={id} onToggle={() => session.toggleRow(name)} />,
            open && (
              <tr key={`${row.key} detail`} role="row" class="detail-row" id={id}>
                <td role="cell" colSpan={table.columns.length}><RowDetail key={row.link} link={row.link} ask={ask} /></td>
              </tr>
            ),
          ];
        })}
      </tbody>
    </table>
  );
}

export function TableHead({ columns }: { columns: Column[] }) {
  return (
    <thead role="rowgroup">
      <tr role="row">
        {columns.map((column) => (
          <th key={column.id} role="columnheader" scope="col" class={cellClass({}, column)} title={column.help}>{column.label}</th>
        ))}
      </tr>
    </thead>
  );
}

function Pareto() {
  const say = useSay();
  return <span class="pareto" title={say("page.row.pareto")}><span class="sr">{say("page.row.pareto")}</span></span>;
}

interface RowLineProps { row: Row; columns: Column[]; open: boolean; detailId: string; onToggle(): void }

/** The whole line is a target for the mouse; keyboard and screen reader use the button in its first cell. */
function RowLine({ row, columns, open, detailId, onToggle }: RowLineProps) {
  const clicked = (): void => {
    if (getSelection()?.isCollapsed !== false) onToggle();
  };
  return (
    <tr role="row" class={open ? "row open" : "row"} data-key={row.key} onClick={clicked}>
      {columns.map((column, index) => {
        const cell = row.cells[index] ?? {};
        return (
          <td key={column.id} role="cell" class={cellClass(cell, column)} data-label={column.label}>
            {index > 0 ? <CellText cell={cell} /> : (
              <button type="button" class="row-button" aria-expanded={open} aria-controls={detailId} onClick={(event) => { event.stopPropagation(); onToggle(); }}>
                <Chevron />
                <span class="row-name"><CellText cell={cell} mark={row.pareto && <Pareto />} /></span>
              </button>
            )}
          </td>
        );
      })}
    </tr>
  );
}

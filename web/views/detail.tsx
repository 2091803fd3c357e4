/** Everything behind one row: what fills the memory, where the time goes, how the GPUs are laid out, and why each number is what it is. */
import type { Ask } from "../ask.ts";
import { Bar, Legend } from "../components/bar.tsx";
import { CellText, cellClass } from "../components/cell.tsx";
import { Figures } from "../components/figures.tsx";
import { Explain } from "../components/explain.tsx";
import { LayoutGrid } from "../components/layout-grid.tsx";
import { Notes } from "../components/notes.tsx";
import { ShareButton } from "../components/share.tsx";
import type { BarPart, Detail, Figure, Table } from "../protocol.ts";
import { useAnswer } from "../answer.ts";
import { useSay } from "../texts.ts";
import { TableHead } from "./tables.tsx";

export function RowDetail({ link, ask }: { link: string; ask: Ask }) {
  const answer = useAnswer(() => ask.detail(link), [ask, link]);
  if (!answer) return <p class="waiting" aria-busy="true" />;
  return answer.ok ? <DetailView detail={answer.value} /> : <p class="problem" role="alert">{answer.problem.message}</p>;
}

function DetailView({ detail }: { detail: Detail }) {
  const say = useSay();
  return (
    <div class="detail">
      <header class="detail-head">
        <h3>{detail.title}</h3>
        {detail.subtitle && <p class="detail-subtitle">{detail.subtitle}</p>}
        {detail.verdict && <p class={detail.fits ? "verdict" : "verdict verdict-short"}>{detail.verdict}</p>}
        <ShareButton link={detail.link} label={say("page.detail.share")} />
      </header>
      <Notes notes={detail.notes ?? []} />
      <div class="detail-bars">
        <Parts title={say("page.detail.memory")} parts={detail.memory} text={detail.memory_text} where={detail.memory_where} />
        <Parts title={say("page.detail.time")} parts={detail.time} text={detail.time_text} />
      </div>
      <InFigures figures={detail.figures ?? []} />
      <LayoutGrid detail={detail} />
      <Messages table={detail.messages} />
      <Explain lines={detail.explain ?? []} />
    </div>
  );
}

function Parts({ title, parts, text, where }: { title: string; parts: BarPart[] | undefined; text?: string | undefined; where?: string | undefined }) {
  if (!parts || parts.length === 0) return null;
  return (
    <section class="parts">
      <h4>{title}</h4>
      <p class="parts-text"><strong>{text}</strong>{where && <span class="quiet"> {where}</span>}</p>
      <Bar parts={parts} large />
      <Legend parts={parts} />
    </section>
  );
}

function InFigures({ figures }: { figures: Figure[] }) {
  const say = useSay();
  if (figures.length === 0) return null;
  return <section class="figures"><h4>{say("page.detail.figures")}</h4><Figures figures={figures} /></section>;
}

function Messages({ table }: { table: Table | undefined }) {
  const say = useSay();
  if (!table || table.columns.length === 0) return null;
  return (
    <section class="messages">
      <h4>{table.title || say("page.detail.messages")}</h4>
      {table.rows.length === 0 ? <p class="quiet">{table.empty}</p> : (
        <div class="scroll" tabIndex={0} role="group" aria-label={say("page.detail.messages")}>
          <table>
            <TableHead columns={table.columns} />
            <tbody>
              {table.rows.map((row) => (
                <tr key={row.key}>
                  {table.columns.map((column, index) => {
                    const cell = row.cells[index] ?? {};
                    return <td key={column.id} class={cellClass(cell, column)}><CellText cell={cell} /></td>;
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

/** A table as a file, in the formats of the command line: the core writes the text, the browser saves it. */
import { useState } from "preact/hooks";
import type { Ask, ExportFormat } from "../ask.ts";
import type { Table, View } from "../protocol.ts";
import { useSay } from "../texts.ts";

const files: Readonly<Record<ExportFormat, { extension: string; type: string }>> = {
  csv: { extension: "csv", type: "text/csv" },
  markdown: { extension: "md", type: "text/markdown" },
  json: { extension: "json", type: "application/json" },
};
const formats = Object.keys(files) as ExportFormat[];

function save(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const anchor = document.createElement("a");
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  URL.revokeObjectURL(address);
}

export function ExportMenu({ table, view, ask }: { table: Table; view: View; ask: Ask }) {
  const say = useSay();
  const [problem, setProblem] = useState("");
  const run = async (format: ExportFormat): Promise<void> => {
    const answer = await ask.table({ scenario: view.scenario }, table.id, format);
    setProblem(answer.ok ? "" : answer.problem.message);
    if (answer.ok) save(`gpuplan-${table.id}.${files[format].extension}`, files[format].type, answer.value.text);
  };
  return (
    <div class="export" role="group" aria-label={say("page.export.table", { table: table.title ?? table.id })}>
      {formats.map((format) => (
        <button key={format} type="button" class="plain" onClick={() => void run(format)}>{say(`page.export.${format}`)}</button>
      ))}
      <span class="problem" role="alert">{problem}</span>
    </div>
  );
}

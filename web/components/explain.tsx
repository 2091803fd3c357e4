/** The why of every number: formula, inputs, source. Closed at first; it is long. */
import type { ExplainLine } from "../protocol.ts";
import { Chevron } from "./icons.tsx";
import { useSay } from "../texts.ts";

export function Explain({ lines }: { lines: ExplainLine[] }) {
  const say = useSay();
  if (lines.length === 0) return null;
  return (
    <details class="explain">
      <summary><Chevron /><h4>{say("page.detail.explain")}</h4></summary>
      <ul>
        {lines.map((line, index) => <Line key={`${line.term} ${index}`} line={line} />)}
      </ul>
    </details>
  );
}

function Line({ line }: { line: ExplainLine }) {
  return (
    <li class="term">
      <p class="term-head"><span class="term-label">{line.label || line.term}</span> <strong class="term-value">{line.value}</strong></p>
      {line.formula && <p class="formula">{line.formula}</p>}
      {line.inputs && line.inputs.length > 0 && (
        <dl class="inputs">
          {line.inputs.map((input) => (
            <div key={input.id}>
              <dt>{input.label}</dt>
              <dd>{input.text}{input.unit && <> <span class="unit">{input.unit}</span></>}</dd>
            </div>
          ))}
        </dl>
      )}
      <Source line={line} />
    </li>
  );
}

/** Only a web address becomes a link, and only a click follows it. */
function Source({ line }: { line: ExplainLine }) {
  const say = useSay();
  const source = line.source ?? "";
  if (!source && !line.section) return null;
  const isAddress = /^https?:\/\//.test(source);
  return (
    <p class="source">
      {say("page.explain.source")}: {isAddress ? <a href={source} rel="noreferrer noopener" target="_blank">{source}</a> : source}
      {line.section && line.section !== source && <> {line.section}</>}
    </p>
  );
}

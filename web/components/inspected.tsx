/** What the core found in a file, a text or an id. */
import type { Inspected } from "../protocol.ts";
import { useSay } from "../texts.ts";
import { Chevron } from "./icons.tsx";
import { Figures } from "./figures.tsx";
import { Notes } from "./notes.tsx";

export function InspectedView({ found, onUse }: { found: Inspected; onUse(): void }) {
  const say = useSay();
  return (
    <section class="inspected" aria-live="polite">
      <header class="inspected-head">
        <h3>{found.title}</h3>
        {found.subtitle && <p class="quiet">{found.subtitle}</p>}
        {found.use && <button type="button" class="button primary" onClick={onUse}>{say(found.kind === "profile" ? "page.bring.use_profile" : "page.bring.use_model")}</button>}
      </header>
      <Figures figures={found.figures} />
      <Notes notes={found.notes} />
      {found.formats.length > 0 && <Formats formats={found.formats} />}
    </section>
  );
}

function Formats({ formats }: { formats: Inspected["formats"] }) {
  const say = useSay();
  return (
    <details class="formats explain">
      <summary><Chevron /><h4>{say("page.bring.formats")}</h4></summary>
      <dl>
        {formats.map((format) => (
          <div key={format.id}>
            <dt>{format.label}</dt>
            <dd>{format.text} <span class="unit">{format.unit}</span></dd>
            <dd class="format-bar" aria-hidden="true"><span style={{ width: `${100 * format.fraction}%` }} /></dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

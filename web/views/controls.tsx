/** What you want to run, as a sentence whose words can be changed. On a phone it folds into one line that opens a sheet. */
import { useEffect, useRef, useState } from "preact/hooks";
import { Field, sentence } from "../components/field.tsx";
import { Chevron } from "../components/icons.tsx";
import { labels } from "../field.ts";
import type { Control, View } from "../protocol.ts";
import type { Session } from "../session.ts";
import { useSay, type Say } from "../texts.ts";

export function Controls({ view, session }: { view: View; session: Session }) {
  const say = useSay();
  const [more, setMore] = useState(false);
  const line = view.controls.filter((control) => control.in_line);
  const rest = view.controls.filter((control) => !control.in_line);
  return (
    <div class="controls" role="group" aria-label={say("page.controls")}>
      <div class="line">
        {line.map((control) => <Field key={control.id} control={control} session={session} place="line" />)}
        {rest.length > 0 && (
          <button type="button" class="plain more" aria-expanded={more} aria-controls="more" onClick={() => setMore(!more)}>
            {say("page.controls.more")}<Chevron />
          </button>
        )}
      </div>
      {more && (
        <div class="panel" id="more">
          {rest.map((control) => <Field key={control.id} control={control} session={session} place="panel" />)}
        </div>
      )}
      <span class="busy" hidden={!session.busy} />
      <FoldedLine line={line} all={view.controls} session={session} />
    </div>
  );
}

/** What the folded line says of a control: numbers with what they count, and the choices that the person made. */
function shortly(say: Say, control: Control, session: Session): string {
  const text = session.wishes.get(control.pointer)?.text ?? control.value;
  const chosen = text !== (control.default_value ?? "") || control.pointer === "/task";
  if (text === "" || control.kind === "toggle" || (control.kind !== "number" && !chosen)) return "";
  return `${labels(control, text).join(", ")} ${control.unit || sentence(say, control)[1]}`.trim();
}

function FoldedLine({ line, all, session }: { line: Control[]; all: Control[]; session: Session }) {
  const say = useSay();
  const [open, setOpen] = useState(false);
  const refused = all.some((control) => session.wishes.get(control.pointer)?.problem);
  return (
    <>
      <button type="button" class="folded" aria-haspopup="dialog" data-invalid={refused} onClick={() => setOpen(true)}>
        <span class="folded-text">{line.map((control) => shortly(say, control, session)).filter(Boolean).join(" · ")}</span>
        <span class="folded-action">{say("page.controls.open")}</span>
      </button>
      {open && <Sheet controls={all} session={session} onClose={() => setOpen(false)} />}
    </>
  );
}

function Sheet({ controls, session, onClose }: { controls: Control[]; session: Session; onClose(): void }) {
  const say = useSay();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => { dialog.current?.showModal(); }, []);
  return (
    <dialog class="sheet" ref={dialog} aria-label={say("page.controls")} onClose={onClose}
      onClick={(event) => { if (event.target === dialog.current) dialog.current?.close(); }}>
      <div class="sheet-body">
        <header class="sheet-head">
          <h2>{say("page.controls")}</h2>
          <button type="button" class="button" onClick={() => dialog.current?.close()}>{say("page.controls.close")}</button>
        </header>
        {controls.map((control) => <Field key={control.id} control={control} session={session} place="panel" />)}
      </div>
    </dialog>
  );
}

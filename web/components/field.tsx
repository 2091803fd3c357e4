/** One control with its words, its unit, and what is wrong with it. On the line it is part of a sentence; in a panel it has label and help. */
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import type { Control, Problem } from "../protocol.ts";
import type { Session, Wish } from "../session.ts";
import { useSay, type Say } from "../texts.ts";
import { Amount } from "./amount.tsx";
import { Many } from "./many.tsx";
import { Pick } from "./pick.tsx";
import { Flip } from "./flip.tsx";

/** What every kind of input is given. `describedBy` names the help and the problem for a screen reader. */
export interface InputProps {
  control: Control;
  text: string;
  id: string;
  invalid: boolean;
  describedBy: string | undefined;
  onText(text: string): void;
  onLeave(): void;
}

function Input(props: InputProps) {
  switch (props.control.kind) {
    case "choice": return <Pick {...props} />;
    case "multiple": return <Many {...props} />;
    case "number": return <Amount {...props} />;
    case "toggle": return <Flip {...props} />;
  }
}

/** The words around a control in the sentence, "context {control}"; a control without words of its own is led by its label. */
export function sentence(say: Say, control: Control): [string, string] {
  const key = `page.line.${control.id}`;
  const words = say(key);
  const [before, after] = (words === key ? `${control.label} {control}` : words).split("{control}");
  return [before ?? "", after ?? ""];
}

export function FieldProblem({ id, problem }: { id: string; problem: Problem | undefined }) {
  const say = useSay();
  return (
    <span class="problem" id={id} role="alert">
      {problem && <>{problem.message} <span class="quiet">{say("page.error.last_good")}</span></>}
    </span>
  );
}

export function Field({ control, session, place }: { control: Control; session: Session; place: "line" | "panel" }) {
  const say = useSay();
  const id = useId();
  const wish: Wish | undefined = session.wishes.get(control.pointer);
  const described = [control.help && place === "panel" ? `${id}-help` : "", wish?.problem ? `${id}-problem` : ""].filter(Boolean).join(" ");
  const input: ComponentChildren = (
    <Input
      control={control} text={wish?.text ?? control.value} id={id} invalid={wish?.problem !== undefined} describedBy={described || undefined}
      onText={(text) => session.change(control, text)} onLeave={() => session.settle()}
    />
  );
  const [before, after] = sentence(say, control);
  const problem = <FieldProblem id={`${id}-problem`} problem={wish?.problem} />;
  if (place === "line") {
    return (
      <>
        <span class="field words" data-control={control.id} title={control.help}>
          {before.trim() && <label class="before" for={id}>{before.trim()}</label>}
          {input}
          {after.trim() && <span class="after">{after.trim()}</span>}
        </span>
        {problem}
      </>
    );
  }
  return (
    <div class="field field-panel" data-control={control.id}>
      <label class="label" for={id}>{control.label}</label>
      {input}
      {control.help && <span class="help" id={`${id}-help`}>{control.help}</span>}
      {problem}
    </div>
  );
}

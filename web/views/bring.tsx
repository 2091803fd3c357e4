/** Brings a model or a measured machine: by drop, file, paste or id. The core reads it; this draws what it found. */
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { coreStopped, type Ask, type Later } from "../ask.ts";
import { useArrivals, type Arrival } from "../bring/arrivals.ts";
import { inspectFiles } from "../bring/files.ts";
import { forget, recent, remember, type Brought } from "../bring/recent.ts";
import { InspectedView } from "../components/inspected.tsx";
import { isNeed, type Answer, type Inspected, type Problem, type Use } from "../protocol.ts";
import { useSay, type Say } from "../texts.ts";
import { ById } from "./bring-id.tsx";

export interface Inspecting { busy: boolean; found: Inspected | undefined; problem: string; read(answer: () => Later<Inspected>): void; fail(sentence: string): void }

/** The core's own sentence, or ours for what never reached it. */
function sentence(problem: Problem, say: Say): string {
  if (problem.code === coreStopped) return say("page.error.fault");
  if (problem.code === "elsewhere") return say("page.bring.error.no_core");
  return problem.message || say(`page.bring.error.${problem.code}`);
}

function useInspecting(): Inspecting {
  const say = useSay();
  const [busy, setBusy] = useState(false);
  const [answer, setAnswer] = useState<Answer<Inspected> | undefined>();
  const [failure, setFailure] = useState("");
  const turns = useRef(0);
  const read = (ask: () => Later<Inspected>): void => {
    const turn = ++turns.current;
    setBusy(true);
    setFailure("");
    void ask().then((arrived) => {
      if (turn !== turns.current) return;
      setBusy(false);
      setAnswer(arrived);
    });
  };
  const fail = (text: string): void => {
    ++turns.current;
    setBusy(false);
    setAnswer(undefined);
    setFailure(text);
  };
  return { busy, found: answer?.ok ? answer.value : undefined, problem: answer && !answer.ok ? sentence(answer.problem, say) : failure, read, fail };
}

export const inspectText = async (ask: Ask, text: string): Later<Inspected> => {
  const answer = await ask.inspect({ text });
  return answer.ok && isNeed(answer.value) ? { ok: false, problem: { pointer: "", code: "unreadable", message: "" } } : answer as Answer<Inspected>;
};

interface Props { ask: Ask; open: boolean; onOpen(open: boolean): void; onUse(use: Use): Promise<Problem | undefined> }

export function Bring({ ask, open, onOpen, onUse }: Props) {
  const say = useSay();
  const dialog = useRef<HTMLDialogElement>(null);
  const inspecting = useInspecting();
  const [kept, setKept] = useState<Brought[]>(recent);
  useEffect(() => {
    if (open && !dialog.current?.open) dialog.current?.showModal();
    if (!open) dialog.current?.close();
  }, [open]);
  const take = useCallback((what: Arrival): void => {
    onOpen(true);
    inspecting.read(() => ("files" in what ? inspectFiles(ask, what.files) : inspectText(ask, what.text)));
  }, [ask]);
  const held = useArrivals(take);
  const use = async (one: Brought): Promise<void> => {
    const problem = await onUse(one.use);
    if (problem) return inspecting.fail(sentence(problem, say));
    setKept(remember(one));
    onOpen(false);
  };
  const { found, problem } = inspecting;
  const outcome = useRef<HTMLDivElement>(null);
  useEffect(() => { if (found || problem) outcome.current?.scrollIntoView({ block: "nearest" }); }, [found, problem]);
  return (
    <>
      {held && <div class="drop-hint" aria-hidden="true"><p>{say("page.bring.drop_now")}</p></div>}
      <dialog ref={dialog} class="bring" aria-label={say("page.bring.title")} onClose={() => onOpen(false)} onClick={(event) => event.target === dialog.current && onOpen(false)}>
        <div class="bring-body">
          <header class="bring-head"><h2>{say("page.bring.title")}</h2><button type="button" class="plain" onClick={() => onOpen(false)}>{say("page.bring.close")}</button><span class="busy" hidden={!inspecting.busy} /></header>
          <p class="quiet">{say("page.bring.what")}</p>
          <Ways ask={ask} inspecting={inspecting} take={take} />
          <div class="bring-result" ref={outcome} aria-busy={inspecting.busy}>
            <div role="alert">{problem && <p class="problem">{problem}</p>}</div>
            {found && !problem && <InspectedView found={found} onUse={() => found.use && void use({ title: found.title, subtitle: found.subtitle, use: found.use })} />}
          </div>
          <Recent kept={kept} onUse={(one) => void use(one)} onForget={(one) => setKept(forget(one))} />
        </div>
      </dialog>
    </>
  );
}

function Ways({ ask, inspecting, take }: { ask: Ask; inspecting: Inspecting; take(what: Arrival): void }) {
  const say = useSay();
  const [text, setText] = useState("");
  const paste = (event: ClipboardEvent): void => {
    const pasted = event.clipboardData?.getData("text/plain") ?? "";
    if (text === "" && pasted.trim() !== "") take({ text: pasted });
  };
  return (
    <div class="ways">
      <label class="button way-file">
        {say("page.bring.choose")}
        <input class="sr" type="file" multiple onChange={(event) => { take({ files: [...(event.currentTarget.files ?? [])] }); event.currentTarget.value = ""; }} />
      </label>
      <ById ask={ask} inspecting={inspecting} />
      <form class="way-text" onSubmit={(event) => { event.preventDefault(); take({ text }); }}>
        <label>
          <span class="label">{say("page.bring.paste")}</span>
          <textarea rows={3} spellcheck={false} value={text} onInput={(event) => setText(event.currentTarget.value)} onPaste={paste} placeholder={'{ "model_type": "llama", "hidden_size": 4096, … }'} />
        </label>
        <button type="submit" class="button" disabled={text.trim() === ""}>{say("page.bring.read")}</button>
      </form>
    </div>
  );
}

function Recent({ kept, onUse, onForget }: { kept: Brought[]; onUse(one: Brought): void; onForget(one: Brought): void }) {
  const say = useSay();
  if (kept.length === 0) return null;
  return (
    <section class="recent">
      <h3 class="label">{say("page.bring.recent")}</h3>
      <ul>
        {kept.map((one) => (
          <li key={JSON.stringify(one.use)}>
            <button type="button" class="recent-use" onClick={() => onUse(one)}><strong>{one.title}</strong> <span class="quiet">{one.subtitle}</span></button>
            <button type="button" class="plain" aria-label={say("page.bring.forget_one", { name: one.title })} onClick={() => onForget(one)}>{say("page.bring.forget")}</button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A model by its id: from the catalog at once; from a public hub when the person presses the button that names its host. */
import { useState } from "preact/hooks";
import type { Ask } from "../ask.ts";
import { fetchConfig, hubs, isId } from "../bring/hub.ts";
import type { Answer, Inspected } from "../protocol.ts";
import { useSay } from "../texts.ts";
import { inspectText, type Inspecting } from "./bring.tsx";

export function ById({ ask, inspecting }: { ask: Ask; inspecting: Inspecting }) {
  const say = useSay();
  const [id, setId] = useState("");
  const [chosen, setChosen] = useState(hubs[0]!.id);
  const hub = hubs.find((each) => each.id === chosen) ?? hubs[0]!;
  const name = id.trim();
  const lookUp = (): void => inspecting.read(async () => await ask.inspect({ id: name }) as Answer<Inspected>);
  const fetchIt = (): void => {
    if (!isId(name)) return inspecting.fail(say("page.bring.error.id"));
    inspecting.read(async () => {
      const fetched = await fetchConfig(hub, name);
      if ("text" in fetched) return inspectText(ask, fetched.text);
      const message = say(`page.bring.error.${fetched.failed}`, { host: hub.host, id: name, status: fetched.status ?? "" });
      return { ok: false, problem: { pointer: "", code: fetched.failed, message } };
    });
  };
  return (
    <form class="way-id" onSubmit={(event) => { event.preventDefault(); lookUp(); }}>
      <label>
        <span class="label">{say("page.bring.id")}</span>
        <input value={id} autocomplete="off" spellcheck={false} placeholder="mistralai/Mistral-7B-v0.3" onInput={(event) => setId(event.currentTarget.value)} />
      </label>
      <button type="submit" class="button" disabled={name === ""}>{say("page.bring.look_up")}</button>
      <span class="fetch">
        <select aria-label={say("page.bring.hub")} value={chosen} onChange={(event) => setChosen(event.currentTarget.value)}>
          {hubs.map((each) => <option key={each.id} value={each.id}>{each.host}</option>)}
        </select>
        <button type="button" class="button" disabled={name === ""} onClick={fetchIt}>{say("page.bring.fetch")}</button>
      </span>
      <p class="help">{say("page.bring.fetch_help", { host: hub.host })}</p>
    </form>
  );
}

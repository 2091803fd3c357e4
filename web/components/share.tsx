/** Copies a link. Where the browser does not let us, the link is shown, selected, to be copied by hand. */
import { useState } from "preact/hooks";
import { useSay } from "../texts.ts";
import { LinkIcon } from "./icons.tsx";

/** The page's own address with another fragment. */
export const absolute = (link: string): string => new URL(link, location.href).href;

type Outcome = "none" | "done" | "manual";

export function ShareButton({ link, label }: { link: string; label: string }) {
  const say = useSay();
  const [outcome, setOutcome] = useState<Outcome>("none");
  const address = absolute(link);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(address);
      setOutcome("done");
      setTimeout(() => setOutcome("none"), 2500);
    } catch {
      setOutcome("manual");
    }
  };
  return (
    <span class="share">
      <button type="button" class="plain" onClick={() => void copy()}><LinkIcon /> {outcome === "done" ? say("page.share.done") : label}</button>
      <span class="sr" role="status">{outcome === "done" ? say("page.share.done") : ""}</span>
      {outcome === "manual" && (
        <label class="share-manual">
          {say("page.share.manual")}
          <input readOnly value={address} ref={(input) => input?.select()} />
        </label>
      )}
    </span>
  );
}

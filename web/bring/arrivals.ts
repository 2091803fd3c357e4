/** What is dropped anywhere on the page, and configurations pasted outside of a field. */
import { useEffect, useState } from "preact/hooks";

export type Arrival = { files: File[] } | { text: string };

const holdsFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;
const inField = (target: EventTarget | null): boolean => target instanceof Element && target.closest("input, textarea, select") !== null;

/** Calls `arrived` with files or text; gives whether files are held over the page. */
export function useArrivals(arrived: (what: Arrival) => void): boolean {
  const [held, setHeld] = useState(false);
  useEffect(() => {
    const over = (event: DragEvent): void => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      setHeld(true);
    };
    const leave = (event: DragEvent): void => { if (!event.relatedTarget) setHeld(false); };
    const drop = (event: DragEvent): void => {
      setHeld(false);
      if (!holdsFiles(event)) return;
      event.preventDefault();
      arrived({ files: [...(event.dataTransfer?.files ?? [])] });
    };
    const paste = (event: ClipboardEvent): void => {
      const text = event.clipboardData?.getData("text/plain").trim() ?? "";
      if (inField(event.target) || !text.startsWith("{")) return;
      event.preventDefault();
      arrived({ text });
    };
    addEventListener("dragover", over);
    addEventListener("dragleave", leave);
    addEventListener("drop", drop);
    addEventListener("paste", paste);
    return () => {
      removeEventListener("dragover", over);
      removeEventListener("dragleave", leave);
      removeEventListener("drop", drop);
      removeEventListener("paste", paste);
    };
  }, [arrived]);
  return held;
}

import { useEffect, useState } from "preact/hooks";

/** What the core answers, once it has: until then undefined, and while a newer answer is on its way the last one. */
export function useAnswer<T>(ask: () => Promise<T>, inputs: readonly unknown[]): T | undefined {
  const [answer, setAnswer] = useState<T | undefined>();
  useEffect(() => {
    let wanted = true;
    void ask().then((arrived) => { if (wanted) setAnswer(arrived); });
    return () => { wanted = false; };
  }, inputs);
  return answer;
}

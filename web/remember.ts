/** The last few views are kept, so that Back, and the second look at an accepted change, cost nothing. */
import type { Ask } from "./ask.ts";
import type { Answer, View } from "./protocol.ts";

const most_views = 24;

export function remembering(ask: Ask): Ask {
  const kept = new Map<string, Answer<View>>();
  const keep = (key: string, answer: Answer<View>): void => {
    kept.set(key, answer);
    const oldest = kept.keys().next();
    if (kept.size > most_views && !oldest.done) kept.delete(oldest.value);
  };
  return {
    ...ask,
    async view(of) {
      const key = JSON.stringify(of);
      const known = kept.get(key);
      if (known) return known;
      const answer = await ask.view(of);
      if (answer.ok) {
        keep(key, answer);
        keep(JSON.stringify({ scenario: answer.value.scenario }), answer);
      }
      return answer;
    },
  };
}

import type { AsyncCore } from "./async-core.ts";

/**
 * The first load is the small core, which reads no models and profiles that a person brings. Once it refers to the full one, that is fetched
 * and answers everything from then on; where it cannot be fetched, the small one's refusal stands and the next request tries again.
 */
export function growing(small: AsyncCore, fetchFull: () => Promise<AsyncCore>): AsyncCore {
  let full: Promise<AsyncCore> | undefined;
  const fetchOnce = (): Promise<AsyncCore> => full ??= fetchFull().catch((cause: unknown) => {
    full = undefined;
    throw cause;
  });
  return {
    async call(request, how) {
      if (full) return (await full).call(request, how);
      const answer = await small.call(request, how);
      if (!answer.startsWith('{"error":{"code":"elsewhere"')) return answer;
      const arrived = await fetchOnce().catch((cause: unknown) => console.error(cause));
      return arrived ? arrived.call(request, how) : answer;
    },
  };
}

/** What was brought before, kept in this browser only: what it is called and what it puts into a scenario. */
import type { Use } from "../protocol.ts";

export interface Brought { title: string; subtitle: string; use: Use }

const key = "gpuplan.brought", most = 8, most_characters = 400_000;

const isBrought = (value: unknown): value is Brought => {
  const { title, subtitle, use } = (value ?? {}) as Partial<Brought>;
  return typeof title === "string" && typeof subtitle === "string" && (use?.pointer === "/model" || use?.pointer === "/hardware/profile");
};

export function recent(): Brought[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isBrought).slice(0, most) : [];
  } catch {
    return [];
  }
}

/** The newest first; storage may be forbidden or full, then nothing is kept. */
function keep(all: Brought[]): Brought[] {
  while (all.length > most || (all.length > 0 && JSON.stringify(all).length > most_characters)) all = all.slice(0, -1);
  try {
    localStorage.setItem(key, JSON.stringify(all));
  } catch {
    // See above.
  }
  return all;
}

const same = (a: Brought, b: Brought): boolean => JSON.stringify(a.use) === JSON.stringify(b.use);

export const remember = (one: Brought): Brought[] => keep([one, ...recent().filter((each) => !same(each, one))]);
export const forget = (one: Brought): Brought[] => keep(recent().filter((each) => !same(each, one)));

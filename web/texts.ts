/** The page's own texts: looked up by key, with {name} filled in. A missing key shows itself rather than nothing. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Strings } from "./protocol.ts";

export type Say = (key: string, values?: Readonly<Record<string, string | number>>) => string;

export function sayer(strings: Strings): Say {
  return (key, values = {}) => (strings[key] ?? key).replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

const Texts = createContext<Say>(sayer({}));
export const TextsProvider = Texts.Provider;
export const useSay = (): Say => useContext(Texts);

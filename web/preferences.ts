/** Language and colours: the person's choice where there is one, the browser's otherwise. Kept in this browser only; no cookie. */
import { useEffect, useState } from "preact/hooks";
import type { Language } from "./protocol.ts";

export type Theme = "auto" | "light" | "dark";
export const themes: readonly Theme[] = ["auto", "light", "dark"];

export const preferredLanguage = (languages: readonly string[]): Language => (/^zh\b/i.test(languages[0] ?? "") ? "zh" : "en");

const isOneOf = <T extends string>(known: readonly T[], value: string | null): value is T => known.some((each) => each === value);

/** Storage may be forbidden (private windows, files): then a choice lasts as long as the page. */
function stored<T extends string>(key: string, known: readonly T[], fallback: T): T {
  try {
    const value = localStorage.getItem(key);
    return isOneOf(known, value) ? value : fallback;
  } catch {
    return fallback;
  }
}

function store(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // See above: not kept.
  }
}

export function useLanguage(): [Language, (lang: Language) => void] {
  const [lang, setLang] = useState<Language>(() => stored("gpuplan.language", ["en", "zh"], preferredLanguage(navigator.languages)));
  useEffect(() => {
    document.documentElement.lang = lang === "zh" ? "zh-CN" : "en";
  }, [lang]);
  return [lang, (next) => { store("gpuplan.language", next); setLang(next); }];
}

export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState<Theme>(() => stored("gpuplan.theme", themes, "auto"));
  useEffect(() => {
    document.documentElement.dataset["theme"] = theme;
  }, [theme]);
  return [theme, (next) => { store("gpuplan.theme", next); setTheme(next); }];
}

/** The page: header, sentence, tables. It asks the core and draws what comes back. */
import { useEffect, useMemo, useState } from "preact/hooks";
import { askIn, coreStopped, today } from "./ask.ts";
import { Mark, ThemeIcon } from "./components/icons.tsx";
import { Notes } from "./components/notes.tsx";
import { ShareButton } from "./components/share.tsx";
import { useAnswer } from "./answer.ts";
import type { AsyncCore } from "./async-core.ts";
import { isPlan, type Opened } from "./link.ts";
import { themes, useLanguage, useTheme, type Theme } from "./preferences.ts";
import type { Language, Problem, Use } from "./protocol.ts";
import { remembering } from "./remember.ts";
import { useSession } from "./session.ts";
import { sayer, TextsProvider, useSay } from "./texts.ts";
import { Bring } from "./views/bring.tsx";
import { Controls } from "./views/controls.tsx";
import { RowDetail } from "./views/detail.tsx";
import { Tables } from "./views/tables.tsx";

export function App({ core }: { core: AsyncCore }) {
  const [lang, setLang] = useLanguage();
  const [theme, setTheme] = useTheme();
  const ask = useMemo(() => remembering(askIn(core, lang, today(new Date()))), [core, lang]);
  const session = useSession(ask);
  const texts = useAnswer(() => ask.strings(), [ask]);
  const say = useMemo(() => sayer(texts?.ok ? texts.value.strings : {}), [texts]);
  useEffect(() => { document.title = say("page.title"); }, [say]);
  const { view, row } = session;
  // The tables are long and the sentence changes with every key: they are drawn again only when their own answer is another.
  const tables = useMemo(() => view && <Tables view={view} ask={ask} session={session} />, [view, ask, row]);
  const [bringing, setBringing] = useState(false);
  const bring = async ({ pointer, value }: Use): Promise<Problem | undefined> => {
    const set = await ask.set(view?.scenario ?? {}, pointer, value);
    if (!set.ok) return set.problem;
    session.open(set.value.link);
    return undefined;
  };
  if (!texts) return null;
  return (
    <TextsProvider value={say}>
      <a class="skip" href="#tables" onClick={skipToTables}>{say("page.skip")}</a>
      <Header lang={lang} onLang={setLang} theme={theme} onTheme={setTheme} link={view?.link ?? ""} onBring={() => setBringing(true)} onHome={() => session.open("")} />
      {view && <Controls view={view} session={session} />}
      <main tabIndex={-1} aria-busy={session.busy} data-link={view?.link}>
        <Refused opened={session.opened} />
        {view && <Notes notes={view.notes ?? []} />}
        {view && isPlan(view.scenario) && <section class="plan"><h2>{say("page.detail.open_plan")}</h2><RowDetail link={view.link} ask={ask} /></section>}
        {tables}
      </main>
      <Bring ask={ask} open={bringing} onOpen={setBringing} onUse={bring} />
      <footer class="page-foot">
        <p><span class="pareto" /> {say("page.row.pareto")}</p>
        <p>{view?.data_line}</p>
        <p>{say("page.footer.private")}</p>
      </footer>
    </TextsProvider>
  );
}

/** The fragment is the scenario's: skipping must not replace it. */
function skipToTables(event: Event): void {
  event.preventDefault();
  document.querySelector("main")?.focus();
}

interface HeaderProps { lang: Language; onLang(lang: Language): void; theme: Theme; onTheme(theme: Theme): void; link: string; onBring(): void; onHome(): void }

function Header({ lang, onLang, theme, onTheme, link, onBring, onHome }: HeaderProps) {
  const say = useSay();
  const nextTheme = themes[(themes.indexOf(theme) + 1) % themes.length] ?? "auto";
  const other: Language = lang === "zh" ? "en" : "zh";
  return (
    <header class="page-head">
      <h1>
        <button type="button" class="home" title={say("page.controls.reset")} onClick={onHome}><Mark />gpuplan</button>
      </h1>
      <p class="tagline">{say("page.tagline")}</p>
      <nav class="tools">
        <button type="button" class="plain" onClick={onBring}>{say("page.bring")}</button>
        <ShareButton link={link} label={say("page.share")} />
        <button type="button" class="plain" lang={other === "zh" ? "zh-CN" : "en"} title={say("page.language.label")} onClick={() => onLang(other)}>{say("page.language")}</button>
        <button type="button" class="plain" aria-label={say(`page.theme.${theme}`)} title={say(`page.theme.${theme}`)} onClick={() => onTheme(nextTheme)}>
          <ThemeIcon theme={theme} />
        </button>
      </nav>
    </header>
  );
}

/** What of the address could not be used, and a core that stopped: said above the last good tables. */
function Refused({ opened }: { opened: Opened | undefined }) {
  const say = useSay();
  if (!opened) return null;
  const { view, refused } = opened;
  const broken = view.ok ? undefined : view.problem;
  return (
    <div role="alert">
      {refused.length > 0 && (
        <div class="banner">
          <p>{say("page.error.link")}</p>
          <ul>{refused.map((sentence) => <li key={sentence}>{sentence}</li>)}</ul>
        </div>
      )}
      {broken && <div class="banner"><p>{broken.code === coreStopped ? say("page.error.fault") : broken.message}</p></div>}
    </div>
  );
}

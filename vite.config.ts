import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { defineConfig, type Plugin } from "vite";

const root = import.meta.dirname;
const embeddedName = "core.embedded.js";
const modules = process.env["GPUPLAN_WASM_FOLDER"] ?? resolve(root, "build/wasm/web");

/** Fills <span lang="en" data-text="key"> in index.html: the few texts that must be there before the core is. */
function textsInHtml(): Plugin {
  const texts = (lang: string): Record<string, string> => JSON.parse(readFileSync(resolve(root, `assets/strings/${lang}.json`), "utf8"));
  const empty = /(<span lang="(en|zh)[-\w]*" data-text="([\w.]+)">)(?=<)/g;
  return {
    name: "texts-in-html",
    transformIndexHtml: { order: "pre", handler: (html) => html.replace(empty, (_, tag, lang, key) => tag + texts(lang)[key]) },
  };
}

/** Browsers load module scripts, and anything marked crossorigin, only from servers; a classic script also runs from a file. */
function classicScript(): Plugin {
  return {
    name: "classic-script",
    enforce: "post",
    transformIndexHtml: { order: "post", handler: (html) => html.replace(/type="module" /g, "defer ").replace(/ crossorigin/g, "") },
  };
}

/** A page opened as a file may not fetch core.wasm; it runs this script instead. */
function embeddedCore(): Plugin {
  return {
    name: "embedded-core",
    generateBundle() {
      const source = `globalThis.gpuplanCore="${readFileSync(resolve(modules, "core-full.wasm")).toString("base64")}";`;
      this.emitFile({ type: "asset", fileName: embeddedName, source });
    },
  };
}

/** The service worker learns the names of the files that the page is made of, and a version that changes with any of them. */
function serviceWorker(): Plugin {
  return {
    name: "service-worker",
    enforce: "post",
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        const names = Object.keys(bundle).filter((name) => /\.(js|css|wasm)$/.test(name) && name !== embeddedName);
        const html = bundle["index.html"];
        const version = createHash("sha256").update(names.join()).update(html?.type === "asset" ? html.source : "").digest("hex").slice(0, 12);
        const files = ["./", "./icon.svg", "./manifest.webmanifest", ...names.map((name) => `./${name}`)];
        const source = readFileSync(resolve(root, "web/sw.js"), "utf8").replace("VERSION\"", `${version}"`).replace('"FILES"', files.map((file) => JSON.stringify(file)).join(", "));
        this.emitFile({ type: "asset", fileName: "sw.js", source });
      },
    },
  };
}

// --mode mock draws the page from a fixture, without the core: for work on the looks only, never shipped.
export default defineConfig(({ mode }) => ({
  root,
  base: "./",
  publicDir: resolve(root, "web/public"),
  plugins: [textsInHtml(), classicScript(), serviceWorker(), ...(mode === "mock" ? [] : [embeddedCore()])],
  resolve: {
    alias: [
      { find: /^core(-full)?\.wasm(?=\?)/, replacement: `${modules}/core$1.wasm` },
      ...(mode === "mock" ? [{ find: /^\.\/open\.ts$/, replacement: resolve(root, "tests/web/fixtures/open.ts") }] : []),
    ],
  },
  build: {
    outDir: mode === "mock" ? "out/mock" : "dist",
    target: ["chrome123", "firefox121", "safari17.5"],
    assetsInlineLimit: 0,
    modulePreload: false,
    cssCodeSplit: false,
    rolldownOptions: { output: { format: "iife" } },
  },
}));

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { defineConfig, type Plugin } from "vite";

const root = import.meta.dirname;
const wasm = process.env["GPUPLAN_WASM"] ?? resolve(root, "build/wasm/web/core.wasm");

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
      const source = `globalThis.gpuplanCore="${readFileSync(wasm).toString("base64")}";`;
      this.emitFile({ type: "asset", fileName: "core.embedded.js", source });
    },
  };
}

// --mode mock draws the page from a fixture, without the core: for work on the looks only, never shipped.
export default defineConfig(({ mode }) => ({
  root,
  base: "./",
  publicDir: false,
  plugins: [textsInHtml(), classicScript(), ...(mode === "mock" ? [] : [embeddedCore()])],
  resolve: {
    alias: [
      { find: /^core\.wasm(?=\?)/, replacement: wasm },
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

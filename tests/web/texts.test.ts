import assert from "node:assert/strict";
import { test } from "node:test";
import { preferredLanguage } from "../../web/preferences.ts";
import { sayer } from "../../web/texts.ts";

test("placeholders are filled, unknown ones and missing keys show themselves", () => {
  const say = sayer({ greeting: "{count} of {total} GPUs" });
  assert.equal(say("greeting", { count: 3, total: 8 }), "3 of 8 GPUs");
  assert.equal(say("greeting", { count: 0 }), "0 of {total} GPUs");
  assert.equal(say("page.nowhere"), "page.nowhere");
});

test("a value is text, never a pattern of its own", () => {
  assert.equal(sayer({ a: "<{x}>" })("a", { x: "$& {x}" }), "<$& {x}>");
});

test("the browser's first language decides: any Chinese is Chinese, the rest English", () => {
  assert.equal(preferredLanguage(["zh-TW", "en"]), "zh");
  assert.equal(preferredLanguage(["ZH"]), "zh");
  assert.equal(preferredLanguage(["en-GB", "zh-CN"]), "en");
  assert.equal(preferredLanguage([]), "en");
});

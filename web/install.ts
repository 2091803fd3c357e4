/** Makes the page installable and usable offline. Only from a server: a file has neither a manifest nor a service worker. */
export function makeInstallable(): void {
  if (location.protocol === "file:") return;
  const manifest = document.createElement("link");
  manifest.rel = "manifest";
  manifest.href = "./manifest.webmanifest";
  document.head.append(manifest);
  // Refused in private windows and without a secure connection: the page then simply needs the network.
  if (import.meta.env.PROD && "serviceWorker" in navigator) navigator.serviceWorker.register("./sw.js").catch(() => undefined);
}

// Keeps the page's own files, so that it opens without a network after the first visit. The build fills in VERSION and FILES (vite.config.ts).
const cacheName = "gpuplan-VERSION";
const files = ["FILES"];

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(cacheName).then((cache) => cache.addAll(files)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const drop = (names) => Promise.all(names.filter((name) => name.startsWith("gpuplan-") && name !== cacheName).map((name) => caches.delete(name)));
  event.waitUntil(caches.keys().then(drop).then(() => self.clients.claim()));
});

// The page itself comes from the network while there is one, so that a new version is seen at once; what it names by content hash never changes.
async function answer(request) {
  const cache = await caches.open(cacheName);
  if (request.mode !== "navigate") return (await cache.match(request)) ?? fetch(request);
  try {
    return await fetch(request);
  } catch {
    return (await cache.match("./")) ?? Response.error();
  }
}

self.addEventListener("fetch", (event) => {
  const ours = event.request.method === "GET" && event.request.url.startsWith(self.registration.scope);
  if (ours) event.respondWith(answer(event.request));
});

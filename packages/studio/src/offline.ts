/** Keeps the files of the site for visits without a network: see `nexdyn site`. */
export async function keepOffline(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  const manifest = document.querySelector<HTMLLinkElement>('link[rel=manifest]');
  if (!manifest) return;
  // the worker lies at the root of the site, beside the manifest
  await navigator.serviceWorker.register(new URL('service-worker.js', manifest.href)).catch(() => undefined);
}

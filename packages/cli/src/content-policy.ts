/** What the page of the studio may load: its own files, and models by their address (`?model=`) as data. The build writes it into the page, the server sends it with every answer. */
export const CONTENT_POLICY: readonly string[] = [
  "default-src 'none'",
  // compiled kernels are WebAssembly
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  // a model by address: read without cookies, and only where its host allows other pages to read it
  "connect-src 'self' https: http://localhost:* http://127.0.0.1:*",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
];

/** What the page of the studio may load: its own files. The build writes it into the page, the server sends it with every answer. */
export const CONTENT_POLICY: readonly string[] = [
  "default-src 'none'",
  // compiled kernels are WebAssembly
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
];

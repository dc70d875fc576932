/** Style of the report: light or dark as the system, one accent, colours that are distinguishable with red-green colour blindness. */
export const STYLE = `
:root { color-scheme: light dark; --paper: #fbfcfd; --ink: #1c2430; --faint: #5d6b7c; --rule: #dfe5ec; --panel: #ffffff; --accent: #0b6bcb;
  --c0: #0b6bcb; --c1: #d97800; --c2: #00876c; --c3: #b0418f; --c4: #6b6f1d; --c5: #5a5d73; --good: #00704f; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --paper: #14181e; --ink: #e6ebf2; --faint: #9aa7b7; --rule: #2b333e; --panel: #1b2129; --accent: #6cb2ff;
  --c0: #6cb2ff; --c1: #f5a742; --c2: #4fd1ac; --c3: #e58cc8; --c4: #c9cf62; --c5: #b9bdd6; --good: #62d2a8; --bad: #ff8f85; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 1240px; margin: 0 auto; padding: 32px 24px 64px; }
h1 { font-size: 28px; line-height: 1.2; margin: 0 0 4px; } h2 { font-size: 19px; margin: 40px 0 12px; } h3 { font-size: 15px; margin: 0 0 4px; }
p { margin: 0 0 8px; max-width: 78ch; } .faint, figcaption { color: var(--faint); } figcaption { font-size: 13px; }
.tiles { display: grid; gap: 16px; grid-template-columns: repeat(auto-fill, minmax(min(100%, 360px), 1fr)); }
@media (min-width: 1100px) { .pictures { grid-template-columns: repeat(4, 1fr); } }
.tile { background: var(--panel); border: 1px solid var(--rule); border-radius: 8px; padding: 12px 14px; margin: 0; min-width: 0; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: 5px 12px 5px 0; text-align: right; border-bottom: 1px solid var(--rule); white-space: nowrap; }
th:first-child, td:first-child, th:nth-child(2), td:nth-child(2) { text-align: left; } td:nth-child(2) { color: var(--faint); }
.mean { color: var(--faint); font-size: 13px; } .best { color: var(--good); font-weight: 600; }
.status-completed { color: var(--good); } .status-diverged, .status-unstable, .status-timed-out, .status-not-applicable { color: var(--bad); }
svg { overflow: hidden; display: block; width: 100%; height: auto; } svg text { fill: var(--faint); font: 11px system-ui, sans-serif; }
.grid { stroke: var(--rule); } .line { fill: none; stroke-width: 1.6; } .ground { stroke: var(--rule); fill: none; }
.line.c0 { stroke: var(--c0); } .line.c1 { stroke: var(--c1); } .line.c2 { stroke: var(--c2); } .line.c3 { stroke: var(--c3); } .line.c4 { stroke: var(--c4); } .line.c5 { stroke: var(--c5); }
.dot.c0 { fill: var(--c0); } .dot.c1 { fill: var(--c1); } .dot.c2 { fill: var(--c2); } .dot.c3 { fill: var(--c3); } .dot.c4 { fill: var(--c4); } .dot.c5 { fill: var(--c5); }
.key { display: inline-block; width: 18px; height: 0; border-top: 3px solid; vertical-align: middle; margin-right: 6px; }
.key.c0 { border-color: var(--c0); } .key.c1 { border-color: var(--c1); } .key.c2 { border-color: var(--c2); } .key.c3 { border-color: var(--c3); } .key.c4 { border-color: var(--c4); } .key.c5 { border-color: var(--c5); }
.legend { display: flex; flex-wrap: wrap; gap: 4px 20px; margin: 8px 0 16px; position: sticky; top: 0; background: var(--paper); padding: 8px 0; z-index: 1; }
th:first-child, td:first-child { position: sticky; left: 0; background: var(--panel); }
code { font: 13px ui-monospace, monospace; }
@media (max-width: 960px) { main { padding: 24px 14px 48px; } .mean { display: block; } td { vertical-align: top; } td code { font-size: 10px; } }
@media (max-width: 560px) { table { font-size: 13px; } th, td { padding-right: 9px; } .tile td:first-child { white-space: normal; min-width: 84px; } }
`;

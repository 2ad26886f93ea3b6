# SPDX-License-Identifier: GPL-2.0-or-later
"""The style of the page."""

STYLE = """\
/* Colours: Okabe-Ito, which colour-blind people can tell apart; lines also differ in dashes. */
:root { color-scheme: light dark;
  --bg: #fff; --fg: #16181d; --dim: #5d6470; --line: #d5d9e0; --card: #f4f5f8;
  --bad: #b3261e; --good: #00664b;
  --c0: #0063a0; --c1: #b35900; --c2: #00805c; --c3: #a0457f; }
@media (prefers-color-scheme: dark) { :root {
  --bg: #15171b; --fg: #e8eaee; --dim: #a0a7b4; --line: #383e49; --card: #1e2127;
  --bad: #ff8a7a; --good: #5fd3ab;
  --c0: #6bbcf0; --c1: #f0a94a; --c2: #4fcfa5; --c3: #e08fc0; } }
@page { size: landscape; }
@media print { :root {
  --bg: #fff; --fg: #16181d; --dim: #5d6470; --line: #d5d9e0; --card: #f4f5f8;
  --bad: #b3261e; --good: #00664b;
  --c0: #0063a0; --c1: #b35900; --c2: #00805c; --c3: #a0457f; }
  tr, svg { break-inside: avoid; } h2 { break-after: avoid; }
  main { max-width: none; padding: 0; } table { font-size: 9px; } code { font-size: 8px; } }
* { box-sizing: border-box; -webkit-print-color-adjust: exact; print-color-adjust: exact; }
body { margin: 0; background: var(--bg); color: var(--fg);
  font: 15px/1.5 system-ui, "DejaVu Sans", sans-serif; }
main { max-width: 1280px; margin: 0 auto; padding: 24px 28px 48px; }
h1 { font-size: 22px; margin: 0 0 6px; overflow-wrap: anywhere; }
h2 { font-size: 16px; margin: 30px 0 8px; padding-top: 6px; border-top: 1px solid var(--line); }
p { margin: 6px 0; }
a { color: inherit; }
.dim { color: var(--dim); font-size: 13px; }
.verdict { border-left: 5px solid; background: var(--card); padding: 8px 14px; margin: 14px 0;
  font-weight: bold; }
.good { border-color: var(--good); color: var(--good); }
.bad { border-color: var(--bad); color: var(--bad); }
table { border-collapse: collapse; font-size: 13px; margin: 8px 0; }
td, th { border-bottom: 1px solid var(--line); padding: 3px 14px 3px 0; text-align: left;
  vertical-align: top; font-weight: normal; }
th { color: var(--dim); white-space: nowrap; }
td:first-child, td b { overflow-wrap: anywhere; }
.whole { white-space: nowrap; font-weight: bold; }
.facts td { overflow-wrap: anywhere; }
.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.empty td { color: var(--bad); }
code { font: 11px ui-monospace, "DejaVu Sans Mono", monospace; color: var(--dim); }
svg { display: block; width: 100%; height: auto; margin: 4px 0; }
text { font: 12px system-ui, "DejaVu Sans", sans-serif; fill: var(--fg); }
.axis { fill: var(--dim); }
.grid { stroke: var(--line); stroke-width: 1; }
.mark { stroke: var(--bad); stroke-width: 1; stroke-dasharray: 3 3; }
.marktext { fill: var(--bad); font-weight: bold; }
polyline { fill: none; stroke-width: 2; stroke-linejoin: round; }
.c0 { stroke: var(--c0); } .c1 { stroke: var(--c1); stroke-dasharray: 8 3; }
.c2 { stroke: var(--c2); stroke-dasharray: 2 3; }
.c3 { stroke: var(--c3); stroke-dasharray: 8 3 2 3; }
.t0 { fill: var(--c0); } .t1 { fill: var(--c1); } .t2 { fill: var(--c2); } .t3 { fill: var(--c3); }
"""

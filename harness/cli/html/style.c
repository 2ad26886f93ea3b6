/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The style of a page. Colours are tints of the Okabe-Ito palette, which colour-blind people can
 * tell apart; nothing is said by colour alone: folios have letters, differences have frames and
 * marks. Printing always takes the light colours.
 */
#include "harness/cli/html/html.h"

#define LIGHT \
	"--bg:#fff;--fg:#16181d;--dim:#5d6470;--line:#c3c8d2;--card:#f4f5f8;--diff:#b3261e;" \
	"--move:#0b57a4;--f0:#cde7fa;--f1:#fbe1b4;--f2:#c6ecdd;--f3:#faf3b0;--f4:#c9d8f2;" \
	"--f5:#f8d5bf;--f6:#efd6e5;--f7:#dfe2e7;--small:#eceef2;--gone:#fff;--lock:#0b57a4;" \
	"--flush:#8a5a00;--hw:#8e2a6b;"
#define DARK \
	"--bg:#15171b;--fg:#e8eaee;--dim:#a0a7b4;--line:#454b57;--card:#1e2127;--diff:#ff8a7a;" \
	"--move:#7ab8ff;--f0:#174764;--f1:#5c4210;--f2:#134f3d;--f3:#504b12;--f4:#263f6b;" \
	"--f5:#62341a;--f6:#573350;--f7:#3c4049;--small:#2b2f37;--gone:#15171b;--lock:#7ab8ff;" \
	"--flush:#f0b84a;--hw:#f09acb;"

static const char style[] =
	":root{color-scheme:light dark;" LIGHT "}\n"
	"@media(prefers-color-scheme:dark){:root{" DARK "}}\n"
	"*{box-sizing:border-box;-webkit-print-color-adjust:exact;print-color-adjust:exact}\n"
	"body{margin:0;background:var(--bg);color:var(--fg);"
	"font:15px/1.5 system-ui,\"DejaVu Sans\",sans-serif}\n"
	"main{max-width:1040px;margin:0 auto;padding:24px 28px 48px}\n"
	"h1{font-size:22px;line-height:1.3;margin:0 0 6px;overflow-wrap:anywhere}\n"
	"h2{font-size:16px;margin:30px 0 8px;padding-top:6px;border-top:1px solid var(--line)}\n"
	"p{margin:6px 0}\n"
	"h1,pre,code,td,th,text{font-family:ui-monospace,\"DejaVu Sans Mono\",monospace}\n"
	"pre,code{font-size:13px}\n"
	"pre{background:var(--card);border:1px solid var(--line);border-radius:4px;"
	"padding:10px 12px;margin:8px 0;line-height:1.4;white-space:pre-wrap;"
	"overflow-wrap:anywhere}\n"
	".dim{color:var(--dim)}\n"
	".rule{border-left:5px solid var(--diff);background:var(--card);padding:8px 14px;"
	"margin:14px 0}\n"
	"table{border-collapse:collapse;font-size:13px;margin:8px 0}\n"
	"td,th{border:1px solid var(--line);padding:3px 9px;text-align:left}\n"
	"tr.diff td{border:2px solid var(--diff);font-weight:bold}\n"
	"svg{display:block;width:100%;height:auto;margin:4px 0}\n"
	"text{font-size:12px;fill:var(--fg)}\n"
	".dimtext{fill:var(--dim)}.bold{font-weight:bold}.side{font-size:14px;font-weight:bold}\n"
	".cell{stroke:var(--line)}.none{fill:none;stroke:var(--line);stroke-dasharray:1 3}\n"
	".f0{fill:var(--f0)}.f1{fill:var(--f1)}.f2{fill:var(--f2)}.f3{fill:var(--f3)}\n"
	".f4{fill:var(--f4)}.f5{fill:var(--f5)}.f6{fill:var(--f6)}.f7{fill:var(--f7)}\n"
	".small{fill:var(--small)}.gone{fill:url(#hatch)}\n"
	".hatch{stroke:var(--line);stroke-width:1.5}.plate{fill:var(--bg)}\n"
	".cont{fill:var(--fg)}\n"
	".differs{fill:none;stroke:var(--diff);stroke-width:3.5}\n"
	".allowed{fill:none;stroke:var(--dim);stroke-width:2;stroke-dasharray:4 3}\n"
	".has{fill:var(--diff)}.has+text{fill:var(--bg);font-weight:bold}\n"
	".lacks{fill:var(--bg);stroke:var(--diff);stroke-width:1.5;stroke-dasharray:2 2}\n"
	".lacks+text{fill:var(--dim);text-decoration:line-through}\n"
	".span{stroke:var(--move);stroke-width:3;fill:none}\n"
	".arrow{stroke:var(--move);stroke-width:2;fill:none}.head{fill:var(--move)}\n"
	".to{stroke-dasharray:6 3}.movetext{fill:var(--move)}\n"
	".lock{fill:var(--lock)}.notify,.lazy{fill:none;stroke:var(--lock);stroke-width:2}\n"
	".read{fill:none;stroke:var(--fg);stroke-width:1.5}.write{fill:var(--fg)}\n"
	".batch{stroke:var(--dim);stroke-width:2;fill:none}\n"
	".flush{fill:none;stroke:var(--flush);stroke-width:3;stroke-dasharray:7 3}\n"
	".hw{fill:var(--hw)}.guide{stroke:var(--line);stroke-width:1}\n"
	".warn{fill:var(--diff)}\n"
	"@media print{:root{" LIGHT "}\n"
	"svg,table,.rule{break-inside:avoid}h2{break-after:avoid}\n"
	"body{font-size:12px}pre,code{font-size:10px}main{max-width:none;padding:0}}\n";

void pd_html_style(FILE *out)
{
	fprintf(out, "<style>\n%s</style>\n", style);
}

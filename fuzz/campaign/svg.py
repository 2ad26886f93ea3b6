# SPDX-License-Identifier: GPL-2.0-or-later
"""Curves over the time of a campaign, as inline SVG: lines with their names at the right end."""
from html import escape

from .status import clock, short

WIDTH, HEIGHT = 960, 260
LEFT, RIGHT, TOP, BOTTOM = 64, 150, 16, 30
GAP = 15		# between two names
STEPS = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400)


def ticks(low, high, count=5):
    """Round values from @low to @high."""
    span = max(high - low, 1)
    step = 10 ** len(str(int(span / count))) / 10
    step = next(step * f for f in (1, 2, 5, 10) if span / (step * f) <= count)
    value, out = int(low / step) * step, []
    while value <= high + step / 1000:
        if value >= low:
            out.append(value)
        value += step
    return out


def hours(end):
    """Round times up to @end."""
    step = next((s for s in STEPS if end / s <= 8), STEPS[-1] * (int(end / STEPS[-1] / 8) + 1))
    return range(0, int(end) + 1, step)


def spread(names):
    """[(y, name)] moved apart so that no two overlap, in the order of y."""
    out, last = [], TOP - GAP
    for y, name in sorted(names):
        last = max(y, last + GAP)
        out.append((last, name))
    below = out[-1][0] - (HEIGHT - BOTTOM) if out else 0
    return [(y - max(0, below), name) for y, name in out]


def chart(title, curves, marks=()):
    """@curves {name: [(up, value)]}, @marks [(up, name)]: vertical lines; an <svg>."""
    points = [p for curve in curves.values() for p in curve]
    if not points:
        return "<p class=dim>Nothing was measured yet.</p>"
    end = max(max(p[0] for p in points), 1)
    high = max(max(p[1] for p in points), 1)

    def place(up, value):
        """Where a value is."""
        x = LEFT + (WIDTH - LEFT - RIGHT) * up / end
        return x, HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / high

    out = [f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(title)}">']
    for value in ticks(0, high):
        _, y = place(0, value)
        out.append(f'<path class="grid" d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}"/>'
                   f'<text class="axis" x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">'
                   f'{short(value)}</text>')
    for up in hours(end):
        x, _ = place(up, 0)
        out.append(f'<text class="axis" x="{x:.1f}" y="{HEIGHT - 8}" text-anchor="middle">'
                   f'{clock(up)}</text>')
    beside = LEFT - GAP
    for up, name in marks:
        x, _ = place(min(up, end), 0)
        beside = max(x, beside + GAP)
        out.append(f'<path class="mark" d="M{x:.1f} {TOP}V{HEIGHT - BOTTOM}"/>'
                   f'<text class="marktext" x="{beside:.1f}" y="{TOP - 3}" text-anchor="middle">'
                   f'{escape(name)}</text>')
    names = []
    for i, (name, curve) in enumerate(curves.items()):
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(*p) for p in curve))
        out.append(f'<polyline class="c{i}" points="{path}"/>')
        names.append((place(*curve[-1])[1] + 4, (i, f"{name} {short(curve[-1][1])}")))
    for y, (i, text) in spread(names):
        out.append(f'<text class="t{i}" x="{WIDTH - RIGHT + 8}" y="{y:.1f}">{escape(text)}</text>')
    return "\n".join([*out, "</svg>"])

/*
 * What limits a run: sim-run's verdict in words, the parts of the harts' time, the
 * roofline, and what it predicts for doubling things.
 */

const verdictOf = (run) => scopeOf(run).of.verdict;

/* A part of the time, by what it is of. */
const partName = (part) => [part.group, part.request, part.name].filter(Boolean).join(" ");

/* A gain as a change in per cent, no finer than predictions are worth. */
function gainText(speedup) {
    const text = (100 * (speedup - 1)).toFixed(1);
    return text === "-0.0" || text === "0.0" ? "0.0 %" : `${signed(text, speedup - 1)} %`;
}

/* [name, share] of what busy harts were in, the largest first. What is said to be for several
 * limits has a part for each. */
function partShares(verdict) {
    const shares = new Map();
    for (const part of verdict.parts)
        shares.set(partName(part), (shares.get(partName(part)) ?? 0) + part.share);
    return [...shares].sort(([, a], [, b]) => b - a);
}

/* A bar of the largest; the rest is one. */
function partsBar(verdict) {
    const PARTS = 10, shares = partShares(verdict), shown = shares.slice(0, PARTS);
    const rest = sumOf(shares.slice(PARTS));
    let begin = 0;
    const piece = (name, look, share) => {
        begin += share;
        return segment(name, look, begin - share, share, "that share of the harts' busy",
            { "data-part": name, "data-value": share });
    };
    const pieces = shown.map(([name, share], i) => piece(name, lookOf(i), share));
    if (rest > 0)
        pieces.push(piece("others", lookOf(-1), rest));
    const told = ([name, share]) => `${name} ${percent(share)}`;
    return el("div", { class: "stack whole" }, el("div", { class: "bars" },
        el("div", { class: "line" }, svg("svg", { role: "img",
            "aria-label": `Busy harts: ${shown.slice(0, 3).map(told).join(", ")}` }, pieces))),
    el("p", { class: "note legend" }, "Busy cycles of harts: ", shown.map((one, i) =>
        el("span", {}, swatch(lookOf(i)), told(one)))));
}

function predictionsTable(verdict) {
    const columns = [
        { title: "Change", value: (row) => row.change },
        { title: "predicted gain", number: true, value: (row) => row.speedup,
            text: (row) => el("span", { "data-change": row.change, "data-value": row.speedup },
                gainText(row.speedup)) },
    ];
    return [el("h3", {}, "If one thing were doubled, a latency halved, or the program another"),
        sortable(columns, verdict.predictions)];
}

function limitsTable(verdict) {
    const places = verdict.limits.filter((limit) => limit.load !== undefined);
    const columns = [
        { title: "Place", value: (limit) => `${limit.group} ${limit.name}`,
            text: (limit) => [`${limit.group} ${limit.name}`,
                ...[limit.value ? `${limit.param} is ${limit.value}` : "",
                    limit.links ? `${limit.links.from} to ${limit.links.to}` : ""]
                    .filter(Boolean).map((line) => el("small", {}, line))] },
        { title: "used", number: true, value: (limit) => limit.used,
            text: (limit) => (limit.used === undefined ? "" : percent(limit.used)) },
        ...(places.some((limit) => limit.full) ? [{ title: "full", number: true,
            value: (limit) => limit.full,
            text: (limit) => (limit.full === undefined ? "" : percent(limit.full)) }] : []),
        { title: "waiting at each", number: true, value: (limit) => limit.waiting,
            text: (limit) => (limit.waiting ? limit.waiting.toFixed(2) : "") },
    ];
    return [el("h3", {}, "How near places are to their limits"),
        sortable(columns, places, { sorted: 1 })];
}

/* ---- the roofline ---- */

const ROOF = { width: 460, height: 300, left: 52, right: 12, top: 14, bottom: 44 };

/* Decades from below the least to above the greatest of some numbers. */
function decades(numbers) {
    const logs = numbers.filter((n) => n > 0).map(Math.log10);
    return [Math.floor(Math.min(...logs) - 0.2), Math.ceil(Math.max(...logs) + 0.2)];
}

function axes(x, y, [x0, x1], [y0, y1]) {
    const parts = [], line = (a, b, c, d) => parts.push(svg("line", { class: "grid", x1: a, y1: b,
        x2: c, y2: d }));
    const text = (at, up, anchor, label) => parts.push(svg("text", { class: "tick", x: at, y: up,
        "text-anchor": anchor }, label));
    for (let d = x0; d <= x1; d++) {
        line(x(10 ** d), y(10 ** y0), x(10 ** d), y(10 ** y1));
        text(x(10 ** d), ROOF.height - ROOF.bottom + 19, "middle", String(10 ** d));
    }
    for (let d = y0; d <= y1; d++) {
        line(x(10 ** x0), y(10 ** d), x(10 ** x1), y(10 ** d));
        text(ROOF.left - 6, y(10 ** d) + 4, "end", String(10 ** d));
    }
    text((ROOF.left + ROOF.width - ROOF.right) / 2, ROOF.height - 6, "middle",
        "work for each byte of main memory");
    parts.push(svg("text", { class: "tick", "text-anchor": "middle", transform:
        `translate(13 ${(ROOF.top + ROOF.height - ROOF.bottom) / 2}) rotate(-90)` },
    "work in a cycle"));
    return parts;
}

/* Under the slope of main memory and the peak of the units; a point is the run. */
function workMarks(work, at, x, y, memory, xs) {
    const ridge = work.peak / memory, fill = colour(at), name = `${short(work.done)} ${work.work}`;
    const told = `${name} a cycle, ${short(work.per_byte)} a byte: ` +
        `${percent(work.done / work.roof)} of the roof, ${short(work.roof)}`;
    const right = x(work.per_byte) > ROOF.width * 0.6;
    return [
        svg("polyline", { class: "roof", stroke: fill, points: [
            [x(10 ** xs[0]), y(memory * 10 ** xs[0])],
            [x(Math.min(ridge, 10 ** xs[1])), y(Math.min(work.peak, memory * 10 ** xs[1]))],
            [x(10 ** xs[1]), y(Math.min(work.peak, memory * 10 ** xs[1]))]].join(" ") }),
        svg("line", { class: "drop", stroke: fill, x1: x(work.per_byte), x2: x(work.per_byte),
            y1: y(work.done), y2: y(work.roof) }),
        svg("circle", { cx: x(work.per_byte), cy: y(work.done), r: 5, fill,
            "data-work": work.work, "data-value": work.done }, svg("title", {}, told)),
        svg("text", { x: x(work.per_byte) + (right ? -9 : 9), y: y(work.done) + 14,
            "text-anchor": right ? "end" : "start" }, work.work),
    ];
}

function roofline(verdict) {
    const { memory, works } = verdict.roofline;
    if (!works.length || !(memory > 0))
        return [];
    const xs = decades(works.flatMap((work) => [work.per_byte, work.peak / memory]));
    const ys = decades(works.flatMap((work) => [work.done, work.peak]));
    const scale = ([from, to], low, high) => (n) =>
        low + (high - low) * (Math.log10(n) - from) / (to - from);
    const x = scale(xs, ROOF.left, ROOF.width - ROOF.right);
    const limited = scale(ys, ROOF.height - ROOF.bottom, ROOF.top);
    const y = (n) => Math.min(limited(n), ROOF.height - ROOF.bottom);
    const told = works.map((work) => `${work.work}: ${short(work.done)} a cycle of ` +
        `${short(work.roof)} possible at ${short(work.per_byte)} a byte`).join("; ");
    return [el("h3", {}, "Roofline"),
        svg("svg", { class: "roofline", role: "img", "aria-label": `Roofline. ${told}`,
            viewBox: `0 0 ${ROOF.width} ${ROOF.height}` }, axes(x, y, xs, ys),
        works.flatMap((work, i) => workMarks(work, i, x, y, memory, xs))),
        el("p", { class: "note" }, `Main memory can move ${short(memory)} bytes a cycle, the ` +
            "slope; units can do so much of the mix that was done, the level. Dashed: what is " +
            "left to the roof.")];
}

function verdicts() {
    if (!runs.some(verdictOf))
        return;
    const top = el("div"), left = el("div"), right = el("div");
    const note = el("p", { class: "note" });
    section("verdict", "Verdict", note, top, el("div", { class: "sides even" }, left, right));
    watch(() => {
        const verdict = verdictOf(chosenRun());
        const lines = verdict ? verdict.text : ["There is none: no hart was busy."];
        note.textContent = ofWholeChip();
        top.replaceChildren(el("ul", { class: "verdict" }, lines.map((line) => el("li", {}, line))),
            ...(verdict ? [partsBar(verdict)] : []));
        left.replaceChildren(...(verdict ? roofline(verdict) : []),
            ...(verdict?.predictions ? predictionsTable(verdict) : []));
        right.replaceChildren(...(verdict ? limitsTable(verdict) : []));
    });
}

pageParts.push(verdicts);

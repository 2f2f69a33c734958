/* Over time: charts whose series the reader chooses, and the tools for all. */

/* What the lines of a chart are, and what they do in the cycles shown. */
function legend(series, bins) {
    const inside = bins.ends.map((end, i) => i).filter((i) =>
        bins.ends[i] > zoom.from && bins.begins[i] < zoom.to);
    const rows = series.map((s, number) => {
        const values = s.values(), low = s.low?.() ?? values, high = s.high?.() ?? values;
        const known = inside.filter((i) => values[i] !== null);
        const cycles = known.reduce((sum, i) => sum + bins.widths[i], 0);
        return { s, number,
            mean: known.reduce((sum, i) => sum + values[i] * bins.widths[i], 0) / cycles,
            low: known.reduce((m, i) => Math.min(m, low[i]), Infinity),
            high: known.reduce((m, i) => Math.max(m, high[i]), -Infinity) };
    });
    const number = (title, of) => ({ title, number: true, value: of,
        text: (row) => (Number.isFinite(of(row)) ? valueText(row.s, of(row)) : "") });
    return sortable([
        { title: "Series", value: (row) => row.s.id,
            text: (row) => explained([swatch(lineLook(row.s, row.number)), row.s.id],
                row.s.group, row.s.name) },
        number("mean", (row) => row.mean), number("least", (row) => row.low),
        number("most", (row) => row.high),
        ...(rows.some((row) => row.s.total !== null) ? [sumColumn()] : []),
    ], rows);
}

/* What a statistic has grown by; of figures there is no sum. */
const sumColumn = () =>
    ({ title: inRegion(chosenRun()) ? "in these intervals" : "in all", number: true,
    value: (row) => row.s.total, text: (row) => (row.s.total === null ? ""
        : el("span", { "data-series": row.s.id, "data-value": row.s.total },
            whole(row.s.total))) });

/* A list of all series with a field that shortens it. */
function picker(all, chosen, changed) {
    const list = el("div", { class: "picker" });
    const draw = (filter) => {
        let group = "";
        list.replaceChildren(...all.filter((s) => s.id.includes(filter)).flatMap((s) => {
            const head = s.group !== group ? el("h4", {}, s.group) : null;
            group = s.group;
            const box = el("input", { type: "checkbox", checked: chosen.has(s.id),
                on: { change: () => changed(s.id, box.checked) } });
            return [head, el("label", { title: rowOf(s.group, s.name).meaning }, box, ` ${s.name}`)]
                .filter(Boolean);
        }));
    };
    const search = el("input",
        { type: "search", placeholder: "Filter", "aria-label": "Filter series",
        on: { input: () => draw(search.value.trim()) } });
    draw("");
    return el("details", {}, el("summary", {}, "Choose series"), search, list);
}

/* One chart with its tools. Returns its element, and closes it when asked. */
function panel(preset, closed) {
    const all = seriesOf(chosenRun()), presets = presetsOf(chosenRun()),
        bins = intervalsOf(chosenRun());
    const chosen = new Set(preset.ids), canvas = el("canvas", { tabindex: 0, role: "img" });
    const table = el("div"), pick = el("div"), tools = el("div", { class: "tools" });
    let { stacked, title: shown } = preset, stop = null;
    const tell = (series) => {
        canvas.setAttribute("aria-label", `Over cycles: ${series.map((s) => s.id).join(", ")}. ` +
            "Keys: plus and minus zoom, arrows move, 0 shows all.");
        table.replaceChildren(legend(series, bins));
    };
    const draw = () => {
        stop?.();
        const series = all.filter((s) => chosen.has(s.id));
        stop = drawChart(canvas, series, stacked, () => tell(series));
        tell(series);
    };
    const take = (title) => {
        const p = presets.find((one) => one.title === title) ?? preset;
        chosen.clear();
        p.ids.forEach((id) => chosen.add(id));
        stacked = p.stacked;
        fillTools(p.title);
        draw();
    };
    const fillTools = (title) => {
        shown = title;
        const titles = presets.map((p) => [p.title, p.title]);
        const close = el("button",
            { type: "button", on: { click: () => { stop(); node.remove(); closed(); } } },
            "Remove");
        const choices = title ? titles : [["", "series of your own"], ...titles];
        tools.replaceChildren(chooser("Show", choices, title, take), close);
        pick.replaceChildren(picker(all, chosen, (id, on) => {
            chosen[on ? "add" : "delete"](id);
            shown = "";
            stacked = stacked &&
                all.filter((s) => chosen.has(s.id)).every((s) => s.part === "buckets" &&
                s.group === all.find((one) => chosen.has(one.id)).group);
            draw();
        }));
    };
    const node = el("div", { class: "chart" }, tools, el("div", { class: "canvas" }, canvas), pick,
        table);
    fillTools(preset.title);
    if (preset.open)
        pick.firstChild.open = true;
    const now = () => ({ title: shown, ids: [...chosen], stacked, open: pick.firstChild.open,
        focused: document.activeElement === canvas });
    return { node, draw, now, focus: () => canvas.focus({ preventScroll: true }),
        stop: () => stop?.() };
}

function zoomTools() {
    const edge = (title, of, set) => {
        const input = el("input", { type: "number", min: 0, "aria-label": title, title,
            on: { change: () => set(Number(input.value)) } });
        return { input, show: () => { input.value = of(); } };
    };
    const from = edge("First cycle shown", () => zoom.from, (n) =>
        zoomTo(n, Math.max(zoom.to, n + 1)));
    const to = edge("Last cycle shown", () => zoom.to, (n) =>
        zoomTo(Math.min(zoom.from, n - 1), n));
    zoom.changed = () => { from.show(); to.show(); };
    const button = (text, title, click) =>
        el("button", { type: "button", title, "aria-label": title, on: { click } }, text);
    return [el("label", { class: "field" }, "Cycles", from.input),
        el("label", { class: "field" }, "to", to.input),
        button("+", "Zoom in", zoomKeys["+"]), button("\u2212", "Zoom out", zoomKeys["-"]),
        button("\u2190", "To the left", zoomKeys.ArrowLeft),
        button("\u2192", "To the right", zoomKeys.ArrowRight),
        button("All", "All cycles", zoomToAll)];
}

function overTime() {
    if (!runs.some((run) => run.intervals))
        return;
    const note = el("p", { class: "note" }), charts = el("div"),
        tools = el("div", { class: "tools" });
    const kernels = el("p", { class: "note" });
    let panels = [], shown = null;
    const add = (preset) => {
        const one = panel(preset, () => { panels = panels.filter((p) => p !== one); });
        panels.push(one);
        charts.append(one.node);
        one.draw();
        if (preset.focused)
            one.focus();
    };
    section("time", "Over time", note, kernels, tools, charts);
    watch(() => {
        const run = chosenRun(), bins = intervalsOf(run);
        /* What is drawn anew of the same cycles, as of a run that goes on, keeps what the
         * reader has chosen. */
        const same = shown === `${state.run} ${state.scope}` && panels.map((p) => p.now());
        shown = bins && `${state.run} ${state.scope}`;
        panels.forEach((p) => p.stop());
        panels = [];
        charts.replaceChildren();
        tools.hidden = !bins;
        note.textContent = bins ? noteOf(bins) + ofWholeChip()
            : "This run has no intervals.csv: sim-run writes it with --interval.";
        kernels.replaceChildren(...(bins ? kernelKey(run) : []));
        if (!bins)
            return;
        zoomAnew(run, Boolean(same));
        tools.replaceChildren(...zoomTools(), el("button", { type: "button",
            on: { click: () => add(presetsOf(run)[0]) } }, "Add a chart"));
        zoom.changed();
        (same || firstPresets(run)).forEach(add);
    });
}

function noteOf(bins) {
    const thinned = bins.each > 1
        ? ` A point is the mean of ${bins.each} intervals, a band from the ` +
        "least to the most of one of them; of figures only the mean is shown." : "";
    const cycles = bins.widths.reduce((a, b) => a + b, 0) / bins.intervals;
    return `${whole(bins.intervals)} intervals of about ${whole(cycles)} cycles.${thinned} ` +
        "Drag over a chart to see a part of it, double-click for all of it.";
}

/* What the strips on top of the charts are. */
function kernelKey(run) {
    const kernels = kernelsOf(run).slice(0, 12);
    return [run.stats.region_of_interest ? "Shaded: regions of interest. " : "",
        ...(kernels.length ? ["Strips above: ", ...kernels.flatMap((kernel, i) =>
            [swatch(solid(colour(i + 3))), `${kernel.name} `])] : [])];
}

pageParts.push(overTime);

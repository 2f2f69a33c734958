/*
 * A chart of series over cycles, drawn by Chart.js. All charts show the same range
 * of cycles, which is changed by dragging over one, by keys, and by the tools
 * above them.
 */
const zoom = { from: 0, to: 1, all: true, charts: new Set(), changed: null,
    followers: new Set() /* called after each change */ };

function zoomTo(from, to) {
    const { begin, ends } = intervalsOf(chosenRun()), end = ends.at(-1);
    const width = Math.min(Math.max(to - from, 10), end - begin);
    zoom.from = Math.round(Math.min(Math.max(from, begin), end - width));
    zoom.to = Math.round(zoom.from + width);
    zoom.all = width === end - begin;
    for (const chart of zoom.charts) {
        Object.assign(chart.options.scales.x, { min: zoom.from, max: zoom.to });
        chart.update("none");
        chart.zoomed();
    }
    zoom.changed?.();
    zoom.followers.forEach((follow) => follow());
}

const zoomToAll = () => zoomTo(0, Infinity);

/* There are other intervals: all are shown, of a window its cycles. same: more of those that
 * there were, of which a part that is shown stays. */
function zoomAnew(run, same) {
    const { from, to } = scopeOf(run);
    if (same && !zoom.all)
        zoomTo(zoom.from, zoom.to);
    else if (same || inRegion(run))
        zoomToAll();
    else
        zoomTo(from, to);
}

/* factor 0.5 shows half as much; shift 0.25 goes a quarter to the right. */
function zoomBy(factor, shift = 0) {
    const width = zoom.to - zoom.from, middle = zoom.from + width * (0.5 + shift);
    zoomTo(middle - width * factor / 2, middle + width * factor / 2);
}
const zoomKeys = { "+": () => zoomBy(0.5), "=": () => zoomBy(0.5), "-": () => zoomBy(2),
    ArrowLeft: () => zoomBy(1, -0.25), ArrowRight: () => zoomBy(1, 0.25),
    0: zoomToAll };

/* ---- what lies behind and before the lines ---- */

/* Regions of interest as a shade, kernels as strips along the top, what is being
 * dragged over. */
const marks = {
    id: "marks",
    beforeDatasetsDraw(chart) {
        const { ctx, chartArea: area, scales: { x } } = chart;
        const clamp = (cycle) =>
            Math.min(Math.max(x.getPixelForValue(cycle), area.left), area.right);
        const box = (from, to, top, height, style) => {
            ctx.fillStyle = style;
            ctx.fillRect(clamp(from), top, Math.max(clamp(to) - clamp(from), 0), height);
        };
        ctx.save();
        for (const r of chosenRun().stats.region_of_interest?.regions ?? [])
            box(r.begin, r.end, area.top, area.bottom - area.top, variable("--band"));
        kernelsOf(chosenRun()).forEach((kernel, i) =>
            box(kernel.begin, kernel.end, area.top - 7, 5, colour(i + 3)));
        ctx.restore();
    },
    afterDraw(chart) {
        if (!chart.drag)
            return;
        const { ctx, chartArea: area } = chart, [from, to] = chart.drag;
        ctx.save();
        ctx.fillStyle = faint(palette[0], 0.25);
        ctx.fillRect(from, area.top, to - from, area.bottom - area.top);
        ctx.restore();
    },
};

function dragging(canvas, chart) {
    const place = (event) => {
        const x = event.clientX - canvas.getBoundingClientRect().left;
        return Math.min(Math.max(x, chart.chartArea.left), chart.chartArea.right);
    };
    canvas.addEventListener("pointerdown", (event) => {
        if (event.button === 0 && event.pointerType !== "touch")
            chart.drag = [place(event), place(event)];
    });
    addEventListener("pointermove", (event) => {
        if (!chart.drag)
            return;
        chart.drag[1] = place(event);
        chart.draw();
    }, chart.ends);
    addEventListener("pointerup", () => {
        if (!chart.drag)
            return;
        const [from, to] = [...chart.drag].sort((a, b) => a - b);
        const { x } = chart.scales;
        chart.drag = null;
        if (to - from > 4)
            zoomTo(x.getValueForPixel(from), x.getValueForPixel(to));
        else
            chart.draw();
    }, chart.ends);
    canvas.addEventListener("dblclick", zoomToAll);
    canvas.addEventListener("keydown", (event) => {
        const key = own(zoomKeys, event.key);
        if (key && !event.ctrlKey && !event.metaKey && !event.altKey) {
            event.preventDefault();
            key();
        }
    });
}

/* ---- the chart ---- */

function lineLook(series, number) {
    return series.part === "buckets" ? bucketLook(series.group, series.name) : lookOf(number);
}

/* A line; with stacked, what lies below it is filled; else, where bins have several
 * intervals, a band from the least to the most of one. */
function datasetsOf(series, stacked, bins) {
    const points = (values) =>
        values.map((y, i) => ({ x: (bins.begins[i] + bins.ends[i]) / 2, y }));
    const sets = [];
    series.forEach((s, i) => {
        const look = lineLook(s, i), of = look.colour, axis = { yAxisID: s.axis, pointRadius: 0, normalized: true };
        sets.push({ ...axis, label: s.id, series: s, data: points(s.values()), borderColor: of,
            borderWidth: stacked ? 0.5 : 1.5, borderDash: stacked ? [] : dashesOf(look),
            backgroundColor: canvasPaint(look, 0.85),
            fill: stacked && (i ? "-1" : "origin"), spanGaps: false });
        if (stacked || !s.low)
            return;
        const band = { ...axis, borderWidth: 0, band: true, backgroundColor: faint(of, 0.2) };
        sets.push({ ...band, data: points(s.low()), fill: false });
        sets.push({ ...band, data: points(s.high()), fill: "-1" });
    });
    return sets;
}

function axesOf(series, stacked) {
    const grid = { color: variable("--line") }, ticks = { color: variable("--quiet") };
    const scales = { x: { type: "linear", min: zoom.from, max: zoom.to, grid,
        ticks: { ...ticks, maxRotation: 0, callback: short, maxTicksLimit: 8 },
        title: { display: true, text: "cycle", color: ticks.color } } };
    [...new Set(series.map((s) => s.axis))].forEach((axis, i) => {
        const share = series.find((s) => s.axis === axis).share;
        scales[axis] = { type: "linear", position: i ? "right" : "left", stacked, beginAtZero: true,
            max: stacked ? 1 : undefined, grid: i ? { drawOnChartArea: false } : grid,
            ticks: { ...ticks, maxTicksLimit: 6,
                callback: (value) => (share ? `${short(100 * value)} %` : short(value)) },
            title: { display: !share, text: axis, color: ticks.color } };
    });
    return scales;
}

function tooltipTitle(items) {
    const cycle = items[0].parsed.x;
    const kernels = kernelsOf(chosenRun()).filter((k) => k.begin <= cycle && cycle < k.end);
    return `cycle ${whole(cycle)}${kernels.map((k) => `, ${k.name}`).join("")}`;
}

/* zoomed is called after each change of the range. */
function drawChart(canvas, series, stacked, zoomed) {
    const stop = new AbortController();
    const chart = new Chart(canvas, {
        type: "line",
        data: { datasets: datasetsOf(series, stacked, intervalsOf(chosenRun())) },
        plugins: [marks],
        options: {
            animation: false, parsing: false, maintainAspectRatio: false, responsive: true,
            layout: { padding: { top: 8 } },
            interaction: { mode: "index", intersect: false },
            scales: axesOf(series, stacked),
            plugins: { legend: { display: false }, tooltip: {
                filter: (item) => !item.dataset.band && (!stacked || item.parsed.y > 0),
                itemSort: (a, b) => b.parsed.y - a.parsed.y,
                callbacks: { title: tooltipTitle, label: ({ dataset, parsed }) =>
                    `${dataset.label}: ${valueText(dataset.series, parsed.y)}` } } },
        },
    });
    Object.assign(chart, { zoomed, ends: { signal: stop.signal } });
    dragging(canvas, chart);
    zoom.charts.add(chart);
    return () => {
        stop.abort();
        zoom.charts.delete(chart);
        chart.destroy();
    };
}

const valueText = (series, value) => (value === null || value === undefined ? "none"
    : series.share ? percent(value)
        : `${short(value)} ${series.axis === series.name ? "" : series.axis}`);

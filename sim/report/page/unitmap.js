/*
 * A statistic of each unit over time: a row for each unit, or for the mean of a few, a
 * column for each interval, or for the mean of a few. The cycles are those of the charts.
 */
const MAP = { left: 92, foot: 18, least: 3, most: 16 };

/* The map of a statistic: { names: of its rows, columns: their begins and ends,
 * value(row, column) }. null: there is none. */
function unitMapOf(run, group, name) {
    const map = (inRegion(run) && run.region_unit_intervals) || run.unit_intervals;
    const series = map?.series.find((one) => one.group === group && one.name === name);
    if (!series)
        return null;
    const units = run.stats.units.filter((unit) => unit.group === group);
    const names = series.rows.map((row, r) => {
        const some = units.slice(r * series.each, (r + 1) * series.each);
        return some.length > 1 ? `${some[0].name} to ${some.at(-1).name}` : some[0].name;
    });
    const last = map.levels.length - 1;
    const level = new Map([...map.levels].map((letter, i) => [letter, i / last]));
    const share = (row, column) => level.get(series.rows[row][column]) ?? 0;
    return { names, share, peak: series.peak, each: map.each,
        columns: map.ends.map((to, i) => ({ from: i ? map.ends[i - 1] : map.begin, to })),
        value: (row, column) => share(row, column) * series.peak };
}

/* Cycles that are shown: as in the charts, if there are any. */
const mapRange = (run) => (run.intervals ? zoom : scopeOf(run));

/* Where rows and cycles are on a canvas of that width. */
function mapPlaces(run, map, width) {
    const { from, to } = mapRange(run);
    const tall = Math.min(MAP.most, Math.max(MAP.least, Math.floor(480 / map.names.length)));
    const scale = (width - MAP.left) / (to - from);
    return { tall, bottom: tall * map.names.length, from, to,
        x: (cycle) => MAP.left + (Math.min(Math.max(cycle, from), to) - from) * scale,
        cycle: (x) => from + (x - MAP.left) / scale };
}

function mapLabels(context, map, places, width) {
    const step = Math.ceil(11 / places.tall);
    context.fillStyle = variable("--quiet");
    context.font = "11px sans-serif";
    context.textBaseline = "middle";
    for (let row = 0; row < map.names.length; row += step)
        context.fillText(map.names[row], 0, (row + 0.5) * places.tall, MAP.left - 6);
    const ticks = Math.max(2, Math.floor((width - MAP.left) / 110));
    for (let i = 0; i <= ticks; i++) {
        const cycle = places.from + (places.to - places.from) * i / ticks;
        context.textAlign = i === ticks ? "right" : i ? "center" : "left";
        context.fillText(short(Math.round(cycle)), places.x(cycle),
            places.bottom + MAP.foot / 2 + 2);
    }
}

/* chosen: { row, column } that is framed, or null. */
function drawUnitMap(canvas, run, map, chosen) {
    const width = canvas.parentNode.clientWidth, ratio = window.devicePixelRatio || 1;
    const places = mapPlaces(run, map, width), height = places.bottom + MAP.foot;
    Object.assign(canvas, { width: width * ratio, height: height * ratio });
    Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
    const context = canvas.getContext("2d");
    context.scale(ratio, ratio);
    map.columns.forEach(({ from, to }, column) => {
        const left = Math.round(places.x(from)), right = Math.round(places.x(to));
        for (let row = 0; right > left && row < map.names.length; row++) {
            context.fillStyle = heatColour(map.share(row, column));
            context.fillRect(left, row * places.tall, right - left, places.tall);
        }
    });
    mapLabels(context, map, places, width);
    if (chosen) {
        const { from, to } = map.columns[chosen.column], left = places.x(from);
        context.strokeStyle = "#fff";
        context.lineWidth = 1.5;
        context.strokeRect(left, chosen.row * places.tall, Math.max(places.x(to) - left, 3),
            places.tall);
    }
    return places;
}

const unitMapNote = (map, row) => `Over time, in the cycles of the charts above; from 0 to ${
    row.part === "buckets" ? percent(map.peak) : `${short(map.peak)} ${row.unit} a cycle`}. ` +
    (map.each > 1 ? `A cell is the mean of ${map.each} intervals. ` : "") +
    "Values are to one in 90 of the greatest; unit-intervals.csv has them all.";

/* Its element; what draws it again is given to redraw. */
function unitMap(run, group, name, redraw) {
    const map = unitMapOf(run, group, name), row = rowOf(group, name);
    if (!map)
        return run.unit_intervals ? "" : el("p", { class: "note" }, "Over time there is nothing " +
            "of units: sim-run writes it with --interval-level unit.");
    const readout = el("p", { class: "readout", "aria-live": "polite" });
    const canvas = el("canvas", { tabindex: 0, role: "img", "data-map": `${group}.${name}`,
        "aria-label": `${name} of ${map.names.length} units of ${group} over time, ` +
        "arrow keys go through them, plus and minus zoom" });
    let places = null, chosen = null;
    const draw = () => { places = drawUnitMap(canvas, run, map, chosen); };
    const show = (r, c) => {
        chosen = { row: Math.min(Math.max(r, 0), map.names.length - 1),
            column: Math.min(Math.max(c, 0), map.columns.length - 1) };
        const { from, to } = map.columns[chosen.column];
        const value = map.value(chosen.row, chosen.column);
        readout.textContent = `${map.names[chosen.row]}, cycles ${whole(from)} to ${whole(to)}: ` +
            (row.part === "buckets" ? `${percent(value)} of its cycles`
                : `${short(value)} ${row.unit} a cycle`);
        draw();
    };
    const point = (event) => {
        const box = canvas.getBoundingClientRect(), cycle = places.cycle(event.clientX - box.left);
        const column = map.columns.findIndex(({ from, to }) => from <= cycle && cycle < to);
        if (cycle >= places.from && column >= 0)
            show(Math.floor((event.clientY - box.top) / places.tall), column);
    };
    const moves = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
    const keydown = (event) => {
        const step = own(moves, event.key), key = own(zoomKeys, event.key);
        if (event.ctrlKey || event.metaKey || event.altKey || (!step && !key))
            return;
        event.preventDefault();
        if (step)
            show((chosen?.row ?? 0) + step[0], (chosen?.column ?? -1) + step[1]);
        else if (run.intervals)
            key();
    };
    fill(canvas, { on: { pointermove: point, pointerdown: point, keydown } }, []);
    redraw(draw);
    return el("div", {}, el("p", { class: "note" }, unitMapNote(map, row)), readout,
        el("div", { class: "unitmap" }, canvas));
}

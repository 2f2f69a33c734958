/*
 * Energy and area of runs, by tables of sim-report --energy: what each unit and event needs,
 * power over time, energy of pixels, and how far the figure may be trusted. All numbers are
 * those that energy_views.c has summed up.
 */

const prefixes = [[1, ""], [1e-3, "m"], [1e-6, "\u00b5"], [1e-9, "n"], [1e-12, "p"]];
function scaled(value, unit) {
    const [size, letter] = prefixes.find(([size]) => Math.abs(value) >= size) ?? [1, ""];
    return `${Number((value / size).toPrecision(4))} ${letter}${unit}`;
}
const joules = (value) => scaled(value, "J");
const energyUnits = (run) => Object.entries(run.energy.units);
const unitLook = (group) => lookOf(groupNames.indexOf(group));

function energyNote(run) {
    const { joules: sum, seconds, watts, joule_seconds: delay, standing, trust } = run.energy;
    const shares = Object.entries(trust).map(([name, value]) =>
        `${name} ${percent(value / sum)}`).join(", ");
    return el("p", { class: "note" }, `${runs.length > 1 ? `${run.letter}: ` : ""}`,
        `${joules(sum)} in ${scaled(seconds, "s")}, ${scaled(watts, "W")}; energy-delay product `,
        `${scaled(delay, "J s")}; needed all the time, at work or not: `,
        `${percent(standing / sum)}. From rows of trust ${shares}. This is of the whole run. `,
        `Without rows: ${run.energy.without.join(", ") || "none"}. `,
        `Area ${short(run.energy.mm2)} mm\u00b2, without that of `,
        `${run.energy.without_area.join(", ") || "none"}.`);
}

function energyBar(run) {
    let begin = 0;
    const parts = energyUnits(run).map(([group, { joules: value }]) => {
        const share = value / run.energy.joules, x = begin;
        begin += share;
        return svg("svg", { x: `${100 * x}%`, width: `${100 * share}%`, height: "100%",
            overflow: "hidden" },
        svg("rect", { width: "100%", height: "100%", fill: paintOf(unitLook(group)),
            "data-energy": group, "data-value": value },
        svg("title", {}, `${group}: ${joules(value)}, ${percent(share)}`)),
        hasRoom(group, share) ? svg("text", { x: 5, y: 15, fill: ink(unitLook(group).colour) },
            group) : null);
    });
    return el("div", { class: "stack whole" }, el("div", { class: "bars" },
        el("div", { class: "line" }, svg("svg", { role: "img",
            "aria-label": `Run ${run.letter}: energy by unit` }, parts))));
}

function eventTable(run) {
    const { energy } = run;
    return sortable([
        { title: "Unit", value: (row) => row.unit,
            text: (row) => [swatch(unitLook(row.unit)), row.unit] },
        { title: "Event", value: (row) => row.event ?? "",
            text: (row) => (row.event ? explained(row.event, row.unit, row.event)
                : "all the time") },
        { title: "count", number: true, value: (row) => row.count,
            text: (row) => (row.event ? whole(row.count) : "") },
        { title: "pJ, mW", number: true, value: (row) => (row.event ? row.pj : row.mw),
            text: (row) => (row.event ? `${short(row.pj)} pJ` : `${short(row.mw)} mW`) },
        { title: "energy", number: true, value: (row) => row.joules,
            text: (row) => joules(row.joules) },
        { title: "share", number: true, value: (row) => row.joules,
            text: (row) => percent(row.joules / energy.joules) },
        { title: "Trust", value: (row) => row.trust },
        { title: "Source", wide: true, value: (row) => `${row.source} (${row.node})` },
    ], energy.events, { sorted: 4 });
}

/* A bar for each row of the tables: between a third less and a third more of it. */
function tornado({ energy }) {
    const rows = energy.tornado.slice(0, 12);
    const low = Math.min(...rows.map(({ less }) => less)), span = 2 * (energy.joules - low);
    return sortable([
        { title: "A third of", value: (row) => `${row.unit} ${row.event ?? ""}` },
        { title: "less", number: true, value: (row) => row.less,
            text: (row) => joules(row.less) },
        { title: "more", number: true, value: (row) => row.more,
            text: (row) => joules(row.more) },
        { title: "", value: (row) => row.more, text: (row) =>
            svg("svg", { width: 220, height: 14, "aria-hidden": "true" }, svg("rect", { height: 14,
                x: 220 * (row.less - low) / (span || 1),
                width: 220 * (row.more - row.less) / (span || 1), fill: palette[0] })) },
    ], rows);
}

/* Watts by unit, stacked. */
function powerChart({ energy, stats }) {
    if (!energy.intervals)
        return null;
    const { ends, begin, units } = energy.intervals, width = 900, height = 160;
    const begins = ends.map((end, i) => (i ? ends[i - 1] : begin));
    const watts = (list) => list.map((value, i) =>
        value * stats.clock_mhz * 1e6 / (ends[i] - begins[i]));
    const layers = Object.entries(units).map(([group, list]) => [group, watts(list)]);
    const sums = ends.map((end, i) => layers.reduce((sum, [, list]) => sum + list[i], 0));
    const most = Math.max(...sums), x = (cycle) => width * (cycle - begin) / (ends.at(-1) - begin);
    const y = (value) => height * (1 - value / (most || 1));
    const floor = ends.map(() => 0);
    const paths = layers.map(([group, list]) => {
        const below = [...floor];
        list.forEach((value, i) => { floor[i] += value; });
        const step = (line, i) => `${x(begins[i])} ${y(line[i])}L${x(ends[i])} ${y(line[i])}`;
        const up = ends.map((end, i) => step(floor, i)).join("L");
        const down = ends.map((end, i) => `${x(ends[i])} ${y(below[i])}L${x(begins[i])} ` +
            `${y(below[i])}`).reverse().join("L");
        return svg("path", { d: `M${up}L${down}Z`, fill: paintOf(unitLook(group)) },
            svg("title", {}, group));
    });
    return el("div", {}, el("h3", {}, "Power over time"),
        el("p", { class: "note" }, `Up to ${scaled(most, "W")}, from cycle ${whole(begin)} to `,
            `${whole(ends.at(-1))}. `, layers.map(([group]) =>
                el("span", {}, swatch(unitLook(group)), ` ${group} `))),
        el("div", { class: "scroll" }, svg("svg", { width, height, role: "img",
            "aria-label": "Power of units over time" }, paths)));
}

function energyPixels({ energy: { pixels: of } }) {
    if (!of)
        return null;
    const canvas = el("canvas", { width: of.across, height: of.down,
        style: `width: ${Math.max(of.across, 256)}px; image-rendering: pixelated` });
    const context = canvas.getContext("2d"), image = context.createImageData(of.across, of.down);
    const most = Math.max(...of.joules);
    of.joules.forEach((value, i) =>
        image.data.set([...rgb(heatColour(value / (most || 1))), 255], 4 * i));
    context.putImageData(image, 0, 0);
    return el("div", {}, el("h3", {}, "Energy of pixels"),
        el("p", { class: "note" }, `From 0 to ${joules(most)} for ${of.each} \u00d7 ${of.each}. `,
            scaleStrip(heatColour), ` The rest, ${joules(of.rest)}, is of no pixel.`), canvas);
}

function energy() {
    if (!runs.some((run) => run.energy))
        return;
    const node = el("div");
    section("energy", "Energy", node);
    watch(() => {
        const run = chosenRun().energy ? chosenRun() : runs.find((one) => one.energy);
        const shown = runs.filter((one) => one.energy);
        node.replaceChildren(...shown.flatMap((one) => [energyNote(one), energyBar(one)]),
            ...[powerChart(run), el("h3", {}, "What needs it"), eventTable(run),
                el("h3", {}, "How sure it is"), tornado(run), energyPixels(run)].filter(Boolean));
    });
}

pageParts.push(energy);

/*
 * The chip: a box for each group of units, coloured by the share of cycles in which they
 * were busy or waiting, joined as links join them. Cores are at the left, and each step
 * to the right is one link further from them.
 */
const CHIP = { box: 128, tall: 46, across: 92, down: 26, pad: 6 };

const loadOf = (run, group) => {
    const entries = bucketsOf(run, group), sum = sumOf(entries);
    return sum ? 1 - sumOf(entries.filter(([name]) => isIdle(group, name))) / sum : null;
};
const groupOfPort = (port) => port.slice(0, port.lastIndexOf("."));

/* Pairs of groups: { ends, links: those of all their ports, full: the greatest share of
 * cycles in which a port's links had no room, null where they were not watched }. */
function joinsOf(run) {
    const pairs = new Map();
    const counted = run.stats.link_groups ?? [];
    for (const { from, to, links } of run.stats.wiring) {
        const ends = [groupOfPort(from), groupOfPort(to)], key = [...ends].sort().join("\n");
        if (ends.some((group) => !own(run.stats.groups, group)))
            continue;
        const of = counted.find((one) => one.from === from && one.to === to);
        const full = of ? of.full / (of.links * run.stats.cycles) : null;
        const pair = pairs.get(key) ?? { ends, wires: [], full: null };
        pair.wires.push({ from, to, links, full });
        if (full !== null)
            pair.full = Math.max(pair.full ?? 0, full);
        pairs.set(key, pair);
    }
    return [...pairs.values()];
}

/* Columns of groups: those n links away from the cores, which have most accounts. Within
 * a column groups are near those that they are joined to in the one before. */
function chipColumns(run, joins) {
    const groups = Object.keys(run.stats.groups);
    const accounts = (group) => run.stats.groups[group].accounts;
    const near = (group) => joins.filter(({ ends }) => ends.includes(group))
        .map(({ ends }) => (ends[0] === group ? ends[1] : ends[0]));
    const core = groups.reduce((a, b) => (accounts(b) > accounts(a) ? b : a));
    const far = new Map([[core, 0]]);
    for (const group of far.keys()) /* grows meanwhile */
        for (const other of near(group))
            if (!far.has(other))
                far.set(other, far.get(group) + 1);
    const last = Math.max(...far.values());
    const columns = Array.from({ length: last + 1 }, () => []);
    groups.forEach((group) => columns[far.get(group) ?? last].push(group));
    columns.slice(1).forEach((column, i) => {
        const place = (group) => {
            const of = near(group).map((other) => columns[i].indexOf(other)).filter((at) => at >= 0);
            return of.reduce((a, b) => a + b, 0) / (of.length || 1);
        };
        const beside = (group) => -near(group).filter((other) => column.includes(other)).length;
        column.sort((a, b) => place(a) - place(b) || beside(a) - beside(b));
    });
    return columns;
}

function chipPlaces(columns) {
    const { box, tall, across, down, pad } = CHIP, places = new Map();
    const most = Math.max(...columns.map((column) => column.length));
    columns.forEach((column, x) => column.forEach((group, y) => places.set(group, {
        x: pad + x * (box + across),
        y: pad + (y + (most - column.length) / 2) * (tall + down) })));
    return { places, width: 2 * pad + columns.length * (box + across) - across,
        height: 2 * pad + most * (tall + down) - down };
}

/* From side to side; within a column by a bow at its right. */
function joinPath(a, b) {
    const { box, tall, across } = CHIP, left = a.x <= b.x ? a : b, right = left === a ? b : a;
    const y0 = left.y + tall / 2, y1 = right.y + tall / 2;
    if (a.x === b.x) {
        const bow = a.x + box + across * 0.45;
        return `M ${a.x + box} ${y0} C ${bow} ${y0} ${bow} ${y1} ${a.x + box} ${y1}`;
    }
    const x0 = left.x + box, x1 = right.x, middle = (x0 + x1) / 2;
    return `M ${x0} ${y0} C ${middle} ${y0} ${middle} ${y1} ${x1} ${y1}`;
}

const wireText = ({ from, to, links, full }) => `${from} \u2192 ${to}, ${whole(links)} links` +
    (full === null ? "" : `, without room in ${percent(full)} of the cycles`);

function joinLine(join, places, show) {
    const count = Math.max(...join.wires.map(({ links }) => links));
    const text = join.wires.map(wireText).join("; ");
    return svg("path", { d: joinPath(...join.ends.map((group) => places.get(group))), fill: "none",
        stroke: join.full > 0.005 ? heatColour(join.full) : variable("--quiet"),
        "stroke-width": 1.5 + Math.log2(count + 1) / 2, "data-join": join.ends.join(" "),
        "data-links": count, on: { pointerenter: () => show(text) } }, svg("title", {}, text));
}

function groupBox(run, group, { x, y }, show) {
    const { units, kind } = run.stats.groups[group], load = loadOf(run, group);
    const fill = load === null ? "#8a929b" : heatColour(load);
    const buckets = bucketsOf(run, group), sum = sumOf(buckets);
    const text = `${group}, ${kindOfAny(group).meaning}: ` + (sum
        ? buckets.filter(([, value]) => value).sort((a, b) => b[1] - a[1]).slice(0, 4)
            .map(([name, value]) => `${name} ${percent(value / sum)}`).join(", ")
        : "nothing counted");
    const line = (row, of, weight) => svg("text", { x: x + CHIP.box / 2, y: y + row, fill: ink(fill),
        "text-anchor": "middle", "font-weight": weight }, of);
    return svg("g", { tabindex: 0, role: "img", "aria-label": text, "data-box": group,
        "data-load": load, on: { focus: () => show(text), pointerenter: () => show(text) } },
    svg("rect", { x, y, width: CHIP.box, height: CHIP.tall, rx: 5, fill }),
    line(19, group.length > 17 ? `${group.slice(0, 16)}\u2026` : group, 600),
    line(36, `${units > 1 ? `${whole(units)} \u00d7 ` : ""}${kind === group ? "" : `${kind} `}` +
        `${load === null ? "" : percent(load)}`, 400), svg("title", {}, text));
}

function chip() {
    if (!runs.some((run) => run.stats.wiring?.length))
        return;
    const readout = el("p", { class: "readout", "aria-live": "polite" });
    const note = el("p", { class: "note" }), picture = el("div", { class: "scroll chip" });
    const show = (text) => { readout.textContent = text; };
    section("chip", "Chip", note, picture, readout);
    const draw = () => {
        const run = chosenRun(), joins = run.stats.wiring ? joinsOf(run) : [];
        const { places, width, height } = chipPlaces(chipColumns(run, joins));
        note.replaceChildren("A box is a group of units; its colour is the share of cycles in " +
            "which they were busy or waiting (Where cycles went tells these apart), ", run.stats.link_groups
            ? "that of links the share in which they had no room: 0 "
            : "lines are links (--link-stats colours them): 0 ",
        scaleStrip(heatColour), " 100 %.");
        picture.replaceChildren(svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height,
            role: "group", "aria-label": "Groups of units and the links that join them" },
        joins.map((join) => joinLine(join, places, show)),
        [...places].map(([group, place]) => groupBox(run, group, place, show))));
        show("");
    };
    watch(draw);
}

pageParts.push(chip);

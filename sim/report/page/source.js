/*
 * The program of a run with --profile: a flame graph of its functions, and tables of
 * functions and lines. Cycles are those of harts that had something to do, or of warps;
 * of these a table says which lines had lanes that parted, or that touched many sectors.
 */

const sourceState = { root: 0 };
const FLAME_ROW = 20, FLAME_LEAST = 0.0005; /* of the width: what is thinner is not drawn */

/* What the parts below use of profile.json. Number 0 is the root of all stacks. */
function profileOf(run) {
    const p = run.profile, place = (name) => p.events.findIndex((event) => event.name === name);
    const idle = place(p.idle), hits = place(p.hits), issued = place(p.instructions);
    const sum = (counts, from, to) => counts.slice(from, to).reduce((a, b) => a + b, 0);
    const stacks = [{ name: "all", parent: -1, cost: 0, children: [] }];
    p.stacks.forEach(([parent, of, cost]) => {
        stacks[parent].children.push(stacks.length);
        stacks.push({ name: p.functions[of].name, parent, of, cost, own: cost, children: [] });
    });
    for (let i = stacks.length; --i > 0;)
        stacks[stacks[i].parent].cost += stacks[i].cost;
    return { ...p, stacks, issued, lanes: p.lanes && lanesOf(p.lanes, place),
        cycles: (counts) => sum(counts, 0, p.buckets) - counts[idle],
        misses: (counts) => sum(counts, hits + 1),
        waits: (counts) => p.events.slice(0, p.buckets).map((event, i) => [event.name, counts[i]])
            .filter(([, n], i) => i !== idle && i !== issued &&
                n > 0.01 * (sum(counts, 0, p.buckets) - counts[idle]))
            .sort((a, b) => b[1] - a[1]).slice(0, 3) };
}

/* What the events say of the lanes of warps: of an instruction, or of an access. */
function lanesOf(lanes, place) {
    const at = Object.fromEntries(Object.entries(lanes).map(([name, event]) => [name, place(event)]));
    return { warp: lanes.warp,
        active: (counts) => counts[at.active], live: (counts) => counts[at.live],
        lost: (counts) => counts[at.live] - counts[at.active],
        splits: (counts) => counts[at.splits],
        more: (counts) => counts[at.sectors] - counts[at.least],
        conflicts: (counts) => counts[at.conflicts],
        sectors: (counts) => counts[at.sectors] / counts[at.accesses] };
}

/* ---- flame graph ---- */

/* A name has one colour, wherever it is. */
function flameColour(name) {
    let hash = 0;
    for (const letter of name)
        hash = (31 * hash + letter.codePointAt(0)) % 65521;
    return colour(hash);
}

const flameText = (profile, stack) =>
    `${stack.name}: ${percent(stack.cost / (profile.cost || 1))} with what it calls, ` +
    `${percent((stack.own ?? 0) / (profile.cost || 1))} itself; ${whole(stack.cost)} cycles`;

/* [number, depth, begin, share] of all stacks that are drawn below one; the way to it
 * takes the whole width. */
function flamePlaces(profile, root) {
    const places = [], way = [];
    for (let i = profile.stacks[root].parent; i >= 0; i = profile.stacks[i].parent)
        way.unshift(i);
    way.forEach((number, depth) => places.push([number, depth, 0, 1]));
    const add = (number, depth, begin, share) => {
        places.push([number, depth, begin, share]);
        const { cost, children } = profile.stacks[number];
        for (const child of children) {
            const part = share * profile.stacks[child].cost / cost;
            if (part >= FLAME_LEAST)
                add(child, depth + 1, begin, part);
            begin += part;
        }
    };
    add(root, way.length, 0, 1);
    return places;
}

function flameGraph(profile, readout, pick) {
    const places = flamePlaces(profile, sourceState.root);
    const height = FLAME_ROW * (1 + Math.max(...places.map(([, depth]) => depth)));
    const say = (number) => { readout.textContent = flameText(profile, profile.stacks[number]); };
    const frames = places.map(([number, depth, begin, share]) => {
        const { name, cost } = profile.stacks[number];
        const of = number ? flameColour(name) : variable("--idle");
        return svg("svg", { x: `${100 * begin}%`, y: depth * FLAME_ROW, width: `${100 * share}%`,
            height: FLAME_ROW - 1, overflow: "hidden", "data-stack": number, "data-cost": cost,
            on: { click: () => pick(number), pointerenter: () => say(number) } },
        svg("rect", { width: "100%", height: "100%", fill: number ? of : "transparent",
            stroke: number === sourceState.root && number ? variable("--text") : null },
        svg("title", {}, flameText(profile, profile.stacks[number]))),
        share > 0.02 ? svg("text", { x: 4, y: 14, fill: number ? ink(of) : variable("--text") },
            name) : null);
    });
    /* Down: the most costly function that is called; up: back; aside: the next one. */
    const keydown = (event) => {
        const at = profile.stacks[sourceState.root], largest = (numbers) =>
            [...numbers].sort((a, b) => profile.stacks[b].cost - profile.stacks[a].cost);
        const siblings = at.parent < 0 ? [] : largest(profile.stacks[at.parent].children);
        const beside = (step) => siblings[siblings.indexOf(sourceState.root) + step];
        const next = own({ ArrowDown: largest(at.children)[0], ArrowUp: at.parent,
            ArrowRight: beside(1), ArrowLeft: beside(-1), 0: 0 }, event.key);
        if (next === undefined || next < 0)
            return;
        event.preventDefault();
        pick(next);
        say(next);
    };
    return svg("svg", { class: "flame", height, tabindex: 0, role: "img",
        "aria-label": "Flame graph of functions; arrow keys go down, up and aside, 0 shows all",
        on: { keydown } }, frames);
}

/* ---- tables ---- */

const waitsText = (profile, counts) => profile.waits(counts).map(([name, n]) =>
    `${name} ${percent(n / (profile.cycles(counts) || 1))}`).join(", ");

const sourceColumns = (profile) => [
    { title: "Share", number: true, value: (row) => profile.cycles(row.counts),
        text: (row) => percent(profile.cycles(row.counts) / (profile.cost || 1)) },
    { title: "Cycles", number: true, value: (row) => profile.cycles(row.counts),
        text: (row) => el("span", { "data-cycles": profile.cycles(row.counts) },
            whole(profile.cycles(row.counts))) },
    { title: "Instructions", number: true, value: (row) => row.counts[profile.issued],
        text: (row) => whole(row.counts[profile.issued]) },
    { title: "L1 misses", number: true, value: (row) => profile.misses(row.counts),
        text: (row) => whole(profile.misses(row.counts)) },
    { title: "Waited for", value: (row) => waitsText(profile, row.counts), wide: true },
];
const placeText = (row) => `${row.file}${row.line ? `:${row.line}` : ""}`;

function functionsTable(profile) {
    const columns = sourceColumns(profile);
    columns.splice(1, 0, { title: "With calls", number: true, value: (row) => row.within,
        text: (row) => percent(row.within / (profile.cost || 1)) });
    return sortable([{ title: "Function", value: (row) => row.name,
        text: (row) => [el("span", { class: "code" }, row.name), el("small", {}, placeText(row))] },
    ...columns], profile.functions.filter((row) => row.within), { sorted: 1 });
}

const lineColumn = (profile) => ({ title: "Line", value: placeText,
    text: (row) => [el("span", { class: "code" }, row.source.trim() || placeText(row)),
        el("small", {}, `${placeText(row)}, ${profile.functions[row.function].name}`)] });

function linesTable(profile) {
    return sortable([lineColumn(profile), ...sourceColumns(profile)],
        profile.lines.slice(0, 400), { sorted: 1 });
}

const one = (value) => Number.isFinite(value) ? value.toFixed(1) : "";

/* Lines whose warps lost lanes, or whose accesses took more sectors than would do. */
function lanesTable(profile) {
    const lanes = profile.lanes, issued = (row) => row.counts[profile.issued];
    const lost = lanes.lost(profile.totals) || 1;
    const of = (name, each) => ({ title: name, number: true, value: each,
        text: (row) => one(each(row)) });
    const count = (name, each) => ({ title: name, number: true, value: each,
        text: (row) => whole(each(row)) });
    return sortable([lineColumn(profile),
        { title: "Lost", number: true, value: (row) => lanes.lost(row.counts),
            text: (row) => percent(lanes.lost(row.counts) / lost) },
        { title: "SIMT efficiency", number: true,
            value: (row) => lanes.active(row.counts) / issued(row),
            text: (row) => percent(lanes.active(row.counts) / issued(row) / lanes.warp) },
        of("Lanes", (row) => lanes.active(row.counts) / issued(row)),
        of("Of", (row) => lanes.live(row.counts) / issued(row)),
        count("Lanes lost", (row) => lanes.lost(row.counts)),
        count("Instructions", issued),
        count("Splits", (row) => lanes.splits(row.counts)),
        of("Sectors an access", (row) => lanes.sectors(row.counts)),
        count("Sectors more", (row) => lanes.more(row.counts)),
        ...lanes.conflicts(profile.totals) ?
            [count("Conflicts", (row) => lanes.conflicts(row.counts))] : [],
    ], profile.lines.filter((row) => lanes.lost(row.counts) || lanes.more(row.counts) ||
        lanes.conflicts(row.counts)),
    { sorted: 1 });
}

function lanesPart(profile) {
    const lanes = profile.lanes, all = profile.totals[profile.issued] * lanes.warp || 1;
    return [el("h3", {}, "Lanes"), el("p", { class: "note" },
        `A warp has ${lanes.warp} lanes. Of those of all instructions ` +
        `${percent(lanes.active(profile.totals) / all)} executed them (SIMT efficiency), ` +
        `${percent(lanes.lost(profile.totals) / all)} had parted, and ` +
        `${percent(1 - lanes.live(profile.totals) / all)} were not there. Lanes: that executed ` +
        "an instruction; of: those that its warp had; splits: paths that parted; sectors " +
        "more: than would do for the bytes of an access."), lanesTable(profile)];
}

function source() {
    if (!runs.some((run) => run.profile))
        return;
    const flame = el("div"), readout = el("p", { class: "readout", "aria-live": "polite" });
    const tables = el("div"), note = el("p", { class: "note" });
    const draw = (run, profile) => {
        const pick = (number) => {
            sourceState.root = number;
            draw(run, profile);
            flame.firstChild.focus();
        };
        flame.replaceChildren(flameGraph(profile, readout, pick));
    };
    section("source", "Source", note, readout, flame, tables);
    watch(() => {
        const run = chosenRun();
        sourceState.root = 0;
        readout.textContent = "";
        if (!run.profile) {
            note.textContent = "This run was made without --profile.";
            flame.replaceChildren();
            tables.replaceChildren();
            return;
        }
        const profile = profileOf(run);
        const of = profile.lanes ? "warps" : "harts";
        note.textContent = `Of the whole run: cycles of ${of} that had something to do, ` +
            "by the instruction that they issued or waited to issue. Choose a function to " +
            "see it and what it calls in full width.";
        draw(run, profile);
        tables.replaceChildren(el("h3", {}, "Functions"), functionsTable(profile),
            ...profile.lanes ? lanesPart(profile) : [],
            el("h3", {}, "Lines"), linesTable(profile));
    });
}

pageParts.push(source);

/*
 * The data of the page, and what is chosen of it. Groups, kinds and statistics
 * are known by what stats.json says of them, none by its name.
 */
const data = JSON.parse(document.getElementById("data").textContent);
const runs = data.runs;
runs.forEach((run, i) => {
    run.letter = String.fromCharCode(65 + i);
    run.label = runs.length > 1 ? `${run.letter}: ${run.path}` : run.path;
});

/* run: which one the parts show that show one; scope: the whole run ("run"), what lies in
 * its regions of interest ("region"), or a window (its windowName); part: units of the chip
 * (part.js), "" is all. */
const state = { run: 0, scope: runs.some((r) => r.stats.region_of_interest) ? "region" : "run",
    part: "" };
const watchers = [];
function watch(redraw) {
    watchers.push(redraw);
    redraw();
}
function choose(part) {
    Object.assign(state, part);
    watchers.forEach((redraw) => redraw());
}
const chosenRun = () => runs[state.run];

const own = (object, name) =>
    (object && Object.hasOwn(object, name) ? object[name] : undefined);
const windowName = ({ begin, end, of }) =>
    `${of ? `${of}, ` : ""}${whole(begin)} to ${whole(end)}`;
/* What statistics are of: { groups, units, verdict }, which are members of stats.json; from,
 * to: cycles; ranges: { begin, end } of each part of these. A run that does not have what is
 * chosen is shown whole. */
function scopeOf(run) {
    const of = state.scope === "region" ? run.stats.region_of_interest
        : run.stats.windows?.find((one) => windowName(one) === state.scope);
    const ranges = of ? of.regions ?? [of] : [{ begin: 0, end: run.stats.cycles }];
    return { of: of ?? run.stats, whole: !of, ranges, from: ranges[0].begin,
        to: ranges.at(-1).end };
}
const inRegion = (run) => state.scope === "region" && run.stats.region_of_interest;
const groupsOf = (run) => partGroups(run, scopeOf(run).of);
const cyclesOf = (run) =>
    scopeOf(run).ranges.reduce((sum, { begin, end }) => sum + end - begin, 0);
const allUnits = (run) => scopeOf(run).of.units ?? [];
const kindOf = (run, group) => own(run.stats.schema, own(run.stats.groups, group)?.kind);

/* Names of groups of all runs, in their order. */
const groupNames = [...new Set(runs.flatMap((run) => Object.keys(run.stats.groups)))];

/* The kind of a group; where runs have different ones, what any of them has. */
const kindsOfAll = new Map();
function kindOfAny(group) {
    if (!kindsOfAll.has(group)) {
        const kinds = runs.map((run) => kindOf(run, group)).filter(Boolean);
        const all = (part) => kinds.reduce((rows, kind) => ({ ...rows, ...kind[part] }), {});
        kindsOfAll.set(group, { meaning: kinds[0].meaning, counters: all("counters"),
            buckets: all("buckets"), histograms: all("histograms"), figures: all("figures") });
    }
    return kindsOfAll.get(group);
}

/* What a statistic or figure is: { part, unit, meaning }. */
function rowOf(group, name) {
    const kind = kindOfAny(group);
    for (const part of ["counters", "buckets"]) {
        const row = own(kind[part], name);
        if (row)
            return { part, ...row };
    }
    const figure = own(kind.figures, name);
    return figure && { part: "figures", unit: "", meaning: figureMeaning(figure) };
}

function figureMeaning(figure) {
    if (!figure.over)
        return `${figure.per_mille / 10} % of ${words(figure.of)} are at most this`;
    const under = figure.under ? `(${figure.under.join(" + ")})` : "10^9 simulated seconds";
    return `(${figure.over.join(" + ")}) / ${under}`;
}

/* Is a figure a share of a whole, which is shown in per cent? */
const isShare = (group, name) => own(kindOfAny(group)?.figures, name)?.unit === "share";
const figureText = (group, name, value) =>
    (value === undefined ? "" : isShare(group, name) ? percent(value)
        : [short(value), own(kindOfAny(group)?.figures, name)?.unit].filter(Boolean).join(" "));
/* "in_flight" as words. */
const words = (name) => name.replaceAll("_", " ");

/* Buckets in which there was nothing to do have no colours of their own, but -1, -2, ... */
const isIdle = (group, bucket) => own(kindOfAny(group)?.buckets, bucket)?.role === "idle";
function bucketLook(group, bucket) {
    const idle = isIdle(group, bucket);
    const names = Object.keys(kindOfAny(group).buckets);
    const at = names.filter((name) => isIdle(group, name) === idle).indexOf(bucket);
    return lookOf(idle ? -1 - at : at);
}

/* What log.txt says, for people. */
const logLines = (run) => run.log.split("\n").filter(Boolean).map((line) => {
    const cycle = parseInt(line, 10);
    return { cycle, text: line.replace(/^\s*\d+\s*/, "") };
});
/* Kernels in their order: { name, begin, end }. */
const kernelsOf = (run) => (run.stats.kernels ?? []).map(({ name, begin, end }) =>
    ({ name: name ?? "kernel", begin, end }));

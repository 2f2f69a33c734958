/* What was run, and what came out. */

function listOf(value) {
    if (Array.isArray(value))
        return value.map(listOf).join(", ");
    return value && typeof value === "object" ? String(value.path ?? "") : String(value ?? "");
}

const facts = [
    ["Program", (run) => listOf(run.manifest?.program)],
    ["Chip", (run) => listOf(run.manifest?.chip)],
    ["Settings", (run) => listOf(run.manifest?.settings)],
    ["Scenes", (run) => listOf(run.manifest?.scenes)],
    ["Other files", (run) => listOf(run.manifest?.files)],
    ["Command line", (run) => (Array.isArray(run.manifest?.command_line)
        ? run.manifest.command_line.map(String).join(" ") : "")],
    ["Ended by", (run) => [run.manifest?.ending, run.manifest?.message].filter(Boolean)
        .map(String).join(": ")],
    ["Exit status", (run) => listOf(run.manifest?.exit_status)],
    ["Cycles", (run) => whole(run.stats.cycles)],
    ["Simulated time", (run) => `${short(run.stats.simulated_ms)} ms`],
    ["Clock", (run) => `${run.stats.clock_mhz} MHz`],
    ["Instructions", (run) => whole(run.stats.instructions)],
    ["Harts used", (run) => `${whole(run.stats.harts_used)} of ${whole(run.stats.harts)}`],
    ["Host time", (run) => (Number.isFinite(run.manifest?.host?.cpu_seconds)
        ? `${short(run.manifest.host.cpu_seconds)} CPU s` : "")],
    ["sim-run", (run) => [run.manifest?.version, run.manifest?.revision].filter(Boolean)
        .map(String).join(", ")],
    ["Results hash", (run) => listOf(run.manifest?.results_hash)],
];

function factsTable() {
    const rows = facts.map(([title, of]) => [title, runs.map(of)])
        .filter(([, texts]) => texts.some(Boolean));
    return el("div", { class: "scroll" }, el("table", {},
        runs.length > 1 ? el("thead", {}, el("tr", {}, el("td"),
            runs.map((run) => el("th", { scope: "col" }, run.label)))) : null,
        el("tbody", {}, rows.map(([title, texts]) => el("tr", {},
            el("th", { scope: "row" }, title),
                texts.map((text) => el("td", { class: "wrap" }, text)))))));
}

function cards(run) {
    const cycles = cyclesOf(run), seconds = cycles / run.stats.clock_mhz / 1e6;
    const list = [
        [whole(cycles), inRegion(run) ? "cycles in regions of interest" : "cycles"],
        [`${short(seconds * 1e3)} ms`, `simulated, at ${run.stats.clock_mhz} MHz`],
        [whole(run.stats.harts_used), `harts of ${whole(run.stats.harts)}`],
    ];
    if (scopeOf(run).whole && !state.part)
        list.push([short(run.stats.instructions / cycles), "instructions a cycle"]);
    for (const group of groupNames) {
        const figures = own(groupsOf(run), group)?.derived ?? {};
        const first = Object.keys(figures)[0];
        if (first && list.length < 9)
            list.push([figureText(group, first, figures[first]), `${group}: ${words(first)}`]);
    }
    return el("div", { class: "cards" },
        list.map(([value, title]) =>
            el("div", { class: "card" }, el("b", {}, value), el("span", {}, title))));
}

function summary() {
    const top = el("div"), what = el("div");
    const images = runs.filter((run) => run.image).map((run) => el("figure", { class: "picture" },
        el("img", { src: run.image, alt: `The image of run ${run.label}` }),
        el("figcaption", {}, runs.length > 1 ? run.label : "The image of the run")));
    const leftOut = data.left_out.map((why) => el("p", { class: "left-out" }, `Left out: ${why}`));
    section("summary", "Summary", leftOut, top, el("div", { class: images.length ? "sides even" : "" },
        images.length ? el("div", { class: "pictures" }, images) : null,
        el("div", {}, el("h3", {}, "What was run"), what)));
    watch(() => {
        top.replaceChildren(cards(chosenRun()));
        what.replaceChildren(factsTable());
    });
}

pageParts.push(summary);

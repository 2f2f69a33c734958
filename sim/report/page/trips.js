/*
 * Where requests to memory were (sim-run --stalls): for each kind of request a bar of
 * its legs, all together and by the level that has served them, beside a table with
 * every leg.
 */

/* Kinds of requests of a run: { group, kind, trip }. */
const tripsOf = (run) => Object.entries(groupsOf(run)).flatMap(([group, { trips }]) =>
    Object.entries(trips ?? {}).map(([kind, trip]) => ({ group, kind, trip })));

const legNames = ({ trip }) => Object.keys(trip.legs);
/* By the groups of the chip that it is at, which runs of before do not tell. */
const legCalled = ({ trip }, leg) => own(trip.called, leg) ?? leg;
/* A leg looks the same in all bars: by its place among the legs that any run has. */
const allLegs = [...new Set(runs.flatMap((run) => Object.values(run.stats.groups)
    .flatMap(({ trips }) => Object.values(trips ?? {})).flatMap(({ legs }) => Object.keys(legs))))];
function legLook(leg) {
    if (!allLegs.includes(leg)) /* of a run that goes on */
        allLegs.push(leg);
    return lookOf(allLegs.indexOf(leg));
}
/* Of the counter that has the leg of a level; they all say the same of it. */
const legMeaning = ({ group, kind, trip }, leg) => Object.keys(trip.served).map((level) =>
    rowOf(group, `${kind}_${level}_${leg}`)?.meaning).find(Boolean) ?? "";

/* of: the whole trip, or what a level has served. */
function legBar(row, name, of) {
    let begin = 0;
    const parts = Object.entries(of.legs).map(([leg, value]) => {
        const share = value / of.cycles;
        const part = segment(legCalled(row, leg), legLook(leg), begin, share, short(value / of.requests),
            { "data-served": name, "data-trip": `${row.group}.${row.kind}`, "data-leg": leg,
                "data-value": value });
        begin += share;
        return part;
    });
    const mean = `${short(of.cycles / of.requests)} cycles`;
    return svg("svg", { role: "img", "aria-label": `${row.group} ${row.kind}, ${name}: ${mean}` },
        parts);
}

function tripRow(row, chosen, pick) {
    const { group, kind, trip } = row;
    const line = (name, of) => [el("small", {}, `${name}: ${whole(of.requests)} of `,
        `${short(of.cycles / of.requests)} cycles`),
    el("div", { class: "line" }, legBar(row, name, of))];
    return el("div", { class: "stack", "data-chosen": chosen },
        el("button", { type: "button", "aria-pressed": String(chosen), on: { click: pick },
            title: trip.meaning }, `${group} ${kind}`, el("small", {}, ` ${trip.meaning}`)),
        el("div", { class: "bars" }, line("all", trip),
            chosen ? Object.entries(trip.served).flatMap(([level, of]) => line(level, of)) : []));
}

function tripTable(row) {
    const { group, kind, trip } = row, waits = trip.waits;
    const columns = [
        { title: "Leg", value: (leg) => legNames(row).indexOf(leg),
            text: (leg) => [el("span", { class: "name" }, swatch(legLook(leg)),
                legCalled(row, leg)), el("small", {}, `${leg}: ${legMeaning(row, leg)}`)] },
        { title: "share", number: true, value: (leg) => trip.legs[leg],
            text: (leg) => percent(trip.legs[leg] / trip.cycles) },
        { title: "each", number: true, value: (leg) => trip.legs[leg],
            text: (leg) => short(trip.legs[leg] / trip.requests) },
        ...(waits ? [{ title: waits.counter, number: true, value: (leg) => own(waits.legs, leg),
            text: (leg) => short(own(waits.legs, leg) ?? 0) }] : []),
        { title: "cycles", number: true, value: (leg) => trip.legs[leg],
            text: (leg) => whole(trip.legs[leg]) },
    ];
    const sum = Object.values(trip.legs).reduce((a, b) => a + b, 0);
    const foot = el("tr", {}, el("th", { scope: "row" }, "Sum"), el("td"),
        el("td", { class: "number" }, short(sum / trip.requests)),
        waits ? el("td", { class: "number", "data-waits": waits.cycles },
            short(waits.cycles)) : null,
        el("td", { class: "number" }, whole(sum)));
    return [el("h3", {}, `${group} ${kind}: ${trip.meaning}`),
        el("p", { class: "note" }, `${whole(trip.requests)} requests. `, sum === trip.cycles
            ? "Each of their cycles is in one leg. "
            : `Their legs sum to ${whole(sum)}, not to ${whole(trip.cycles)} cycles. `, waits
            ? `${waits.counter}: cycles of waiting, shared out as the requests' own.`
            : ""),
        sortable(columns, legNames(row), { foot })];
}

function trips() {
    if (!runs.some((run) => tripsOf(run).length))
        return;
    let chosen = null;
    const bars = el("div"), table = el("div", { class: "beside" });
    const draw = () => {
        const rows = tripsOf(chosenRun()), name = (row) => `${row.group}.${row.kind}`;
        /* At first those that take longest. */
        const longest = [...rows].sort((a, b) => b.trip.cycles - a.trip.cycles)[0];
        const row = rows.find((one) => name(one) === chosen) ?? longest;
        bars.replaceChildren(...rows.map((one) => tripRow(one, one === row, () => {
            chosen = name(one);
            draw();
            bars.querySelector("[data-chosen] button").focus();
        })));
        table.replaceChildren(...(row ? tripTable(row) : []));
    };
    section("trips", "Requests to memory",
        el("p", { class: "note" },
            "A bar is all cycles of all requests of a kind, from sending them to taking their ",
            "answers, by where they were. Choose one to see which level has served them, and its legs."),
        el("div", { class: "sides two" }, bars, table));
    watch(draw);
}

pageParts.push(trips);

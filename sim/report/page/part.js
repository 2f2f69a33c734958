/*
 * A part of the chip: the units of a tile, or one of them. Its groups are as those of the
 * whole chip in stats.json, and sum up what stats.json has of units, so all that shows
 * groups shows it.
 */

const partOf = (run, of) => (of.units ?? []).filter(({ name, tile }) =>
    state.part === `tile ${tile}` || state.part === `unit ${name}`);

/* Sums of a part are kept, by what they are of. */
const partSums = new WeakMap();
function partGroups(run, of) {
    if (!state.part)
        return of.groups;
    if (partSums.get(of)?.part !== state.part)
        partSums.set(of, { part: state.part, groups: sumGroups(run, of) });
    return partSums.get(of).groups;
}

function sumGroups(run, of) {
    const units = partOf(run, of);
    return Object.fromEntries(Object.keys(run.stats.groups)
        .map((group) => [group, units.filter((unit) => unit.group === group)])
        .filter(([, some]) => some.length)
        .map(([group, some]) => [group, sumGroup(run, of, group, some)]));
}

function sumGroup(run, of, group, units) {
    const sum = (part) => {
        const sums = new Map();
        for (const unit of units)
            for (const [name, value] of Object.entries(unit[part]))
                sums.set(name, (sums.get(name) ?? 0) + value);
        return Object.fromEntries(sums);
    };
    const add = (name) => units.reduce((all, unit) => all + unit[name], 0);
    const one = { kind: units[0].kind, units: add("units"), accounts: add("accounts"),
        counters: sum("counters"), buckets: sum("buckets"), histograms: sumHistograms(units) };
    one.derived = partFigures(run, group, one);
    one.trips = partTrips(own(of.groups, group)?.trips ?? {},
        { ...one.counters, ...one.buckets });
    return one;
}

/* Ranges that any of the units has. */
function sumHistograms(units) {
    const sums = {};
    for (const [name, { edges, counts }] of units.flatMap((unit) =>
        Object.entries(unit.histograms ?? {}))) {
        const sum = sums[name] ??= new Map();
        counts.forEach((count, i) => sum.set(edges[i], (sum.get(edges[i]) ?? 0) + count));
    }
    return Object.fromEntries(Object.entries(sums).map(([name, sum]) =>
        [name, { edges: [...sum.keys()], counts: [...sum.values()] }]));
}

/* Figures that are ratios. */
function partFigures(run, group, { counters, buckets }) {
    const add = (terms) => terms.reduce((sum, term) =>
        sum + (own(counters, term) ?? own(buckets, term) ?? 0), 0);
    return Object.fromEntries(Object.entries(kindOf(run, group).figures)
        .filter(([, figure]) => figure.over)
        .map(([name, { over, under }]) => [name,
            [add(over), under ? add(under) : cyclesOf(run) * 1000 / run.stats.clock_mhz]])
        .filter(([, [, under]]) => under > 0)
        .map(([name, [over, under]]) => [name, over / under]));
}

/* Legs of the part's requests, by what has served them: of the chip's, of which values, its
 * counters and buckets, say how many are the part's. */
function partTrips(trips, values) {
    const list = Object.entries(trips).map(([kind, trip]) => {
        const served = Object.entries(trip.served).map(([level, { legs }]) => {
            const at = (name) => own(values, `${kind}_${level}_${name}`) ?? 0;
            return [level, { requests: at("requests"), cycles: at("cycles"),
                legs: Object.fromEntries(Object.keys(legs).map((leg) => [leg, at(leg)])
                    .filter(([, value]) => value)) }];
        }).filter(([, { requests }]) => requests);
        return [kind, { meaning: trip.meaning, called: trip.called,
            ...legSums(trip, served, values),
            served: Object.fromEntries(served) }];
    });
    return Object.fromEntries(list.filter(([, { requests }]) => requests));
}

function legSums({ legs: names, waits }, served, values) {
    const add = (of) => served.reduce((sum, [, level]) => sum + (of(level) ?? 0), 0);
    const legs = Object.fromEntries(Object.keys(names)
        .map((leg) => [leg, add((level) => own(level.legs, leg))]).filter(([, value]) => value));
    const sums = { requests: add((level) => level.requests), cycles: add((level) => level.cycles),
        legs };
    if (waits) {
        const cycles = own(values, waits.counter) ?? 0;
        sums.waits = { counter: waits.counter, cycles, legs: Object.fromEntries(Object.entries(legs)
            .map(([leg, value]) => [leg, cycles * value / sums.cycles])) };
    }
    return sums;
}

/* Options of a chooser: tiles, then units of those that have several. */
function partOptions() {
    const tiles = new Map();
    for (const { name, tile } of runs.flatMap((run) => run.stats.units))
        tiles.set(tile, (tiles.get(tile) ?? new Set()).add(name));
    const some = [...tiles.values()].filter((names) => names.size > 1)
        .flatMap((names) => [...names]);
    return [["", "the whole chip"],
        ["Tiles", [...tiles.keys()].map((tile) => [`tile ${tile}`, tile])],
        ["Units", some.map((name) => [`unit ${name}`, name])]];
}

/* What a section says that has nothing of parts. */
const ofWholeChip = () => (state.part ? " This is of the whole chip." : "");

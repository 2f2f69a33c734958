/* Puts the parts together. */

function scopeOptions() {
    const windows = new Set(runs.flatMap((run) => (run.stats.windows ?? []).map(windowName)));
    return [...(runs.some((run) => run.stats.region_of_interest)
        ? [["region", "regions of interest"]] : []),
    ["run", "the whole run"], ...[...windows].map((name) => [name, name])];
}

function choices() {
    const tools = [];
    if (runs.length > 1)
        tools.push(chooser("Run", runs.map((run, i) => [String(i), run.label]), String(state.run),
            (value) => choose({ run: Number(value) })));
    const scopes = scopeOptions();
    if (scopes.length > 1)
        tools.push(chooser("Cycles", scopes, state.scope, (scope) => choose({ scope })));
    tools.push(chooser("Units", partOptions(), state.part, (part) => choose({ part })));
    const node = document.getElementById("choices");
    if (node.textContent !== tools.map((tool) => tool.textContent).join(""))
        node.replaceChildren(...tools);
}

/* The entry of the section that is being read is marked. */
function followSections() {
    const links = new Map([...document.querySelectorAll("nav a")].map((a) => [a.hash.slice(1), a]));
    const seen = new IntersectionObserver((entries) => {
        for (const { target, isIntersecting } of entries)
            if (isIntersecting) {
                links.forEach((link) => link.removeAttribute("aria-current"));
                links.get(target.id).setAttribute("aria-current", "true");
            }
    }, { rootMargin: "-20% 0px -70% 0px" });
    document.querySelectorAll("section").forEach((node) => seen.observe(node));
}

function start() {
    const names = runs.map((run) => run.path).join(", ");
    document.title = `${names} - sim-report`;
    document.getElementById("title").textContent = names;
    document.getElementById("foot").textContent =
        `Made by sim-report ${data.version}, revision ${data.revision}. ` +
        `Charts: Chart.js ${Chart.version}, MIT licence.`;
    if (data.live && !liveBegin())
        return;
    choices();
    pageParts.forEach((part) => part());
    followSections();
    /* The place that the address names was not there when the page was loaded. */
    document.getElementById(location.hash.slice(1))?.scrollIntoView();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => choose({}));
    document.documentElement.dataset.drawn = document.querySelectorAll("canvas").length;
}

start();

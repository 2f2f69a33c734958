/* A reader's steps; what came of them is noted at the root element. chosen: what is chosen
 * above the page. */
addEventListener("load", () => {
    const note = document.documentElement.dataset;
    note.didFit = String(document.documentElement.scrollWidth <= innerWidth);
    for (const value of chosen)
        for (const select of document.querySelectorAll("#choices select"))
            if ([...select.options].some((option) => option.value === value)) {
                select.value = value;
                select.dispatchEvent(new Event("change"));
            }
    const from = document.querySelector("#time input[type=number]");
    const canvas = document.querySelector("#time canvas");
    if (canvas) {
        const press = (key) =>
            canvas.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
        canvas.focus();
        press("0");
        const all = intervalsOf(chosenRun()).begin;
        note.didReturn = String(Number(from.value) === all);
        press("+");
        note.didZoom = String(document.activeElement === canvas && Number(from.value) > all);
        document.querySelector("#time .picker input:not(:checked)").click();
        const kept = () => [zoom.from, zoom.to, ...[...document.querySelectorAll("#time .chart")]
            .map((chart) => chart.querySelector("table").textContent)].join();
        const before = kept();
        choose({});
        note.didKeep = String(kept() === before && zoom.from > all);
        zoomToAll();
    }
    for (const one of document.querySelectorAll("#time canvas")) {
        const { widths } = intervalsOf(chosenRun());
        for (const { series, data } of Chart.getChart(one).data.datasets)
            if (series?.total > 0) {
                const accounts = series.share ? chosenRun().stats.groups[series.group].accounts : 1;
                const area = data.reduce((sum, { y }, i) => sum + y * widths[i] * accounts, 0);
                if (Math.abs(area - series.total) > 1e-9 * series.total)
                    note.didPlot = `false: ${series.id}`;
                note.didPlot ??= "true";
            }
    }
    const map = document.querySelector(".unitmap canvas");
    if (map) {
        const [group, name] = map.dataset.map.split("."), shown = unitMapOf(chosenRun(), group, name);
        const places = mapPlaces(chosenRun(), shown, map.parentNode.clientWidth);
        const dots = map.getContext("2d").getImageData(0, 0, map.width, map.height).data;
        const middle = ({ from, to }) => Math.floor(places.x((from + to) / 2));
        const wide = shown.columns.map((of, i) => i).filter((i) =>
            places.x(shown.columns[i].to) - places.x(shown.columns[i].from) >= 1);
        note.didMap = String(wide.length > 0 && shown.names.every((unit, row) => wide.every((i) => {
            const y = Math.floor((row + 0.5) * places.tall);
            const at = 4 * (y * map.width + middle(shown.columns[i]));
            return rgb(heatColour(shown.share(row, i))).every((part, c) => part === dots[at + c]);
        })));
        map.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true }));
        note.didTell = String(document.querySelector(".unitmap").previousSibling.textContent
            .startsWith(`${shown.names[1]}, cycles ${whole(shown.columns[0].from)} to`));
    }
    if (document.querySelector("#source .flame")) {
        const key = (name) => document.querySelector("#source .flame").dispatchEvent(
            new KeyboardEvent("keydown", { key: name, bubbles: true }));
        const widths = () => [...document.querySelectorAll("#source .flame [data-stack]")]
            .map((frame) => frame.getAttribute("width"));
        const before = widths();
        key("ArrowDown");
        note.didDescend = String(widths()[1] === "100%" && before[1] !== "100%");
        key("0");
        note.didAscend = String(widths().join() === before.join());
    }
    const pictures = document.querySelector("#pixels .pictures");
    if (pictures) {
        const { across, down, values, about } = chosenRun().pixels;
        const number = about.costs.findIndex((cost) => cost.name === "cycles");
        const readout = document.querySelector("#pixels .readout");
        pictures.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
        const value = values[number][(down >> 1) * across + (across >> 1) + 1];
        note.didPoint = String(readout.textContent.includes(`cycles ${short(value)}`));
        const canvas = pictures.querySelector("canvas");
        const dots = canvas.getContext("2d").getImageData(0, 0, across, down).data;
        note.didColour = String(values[number].every((cost, i) => {
            const share = Math.min(cost / about.costs[number].scale, 1);
            const of = about.colours[Math.round(share * (about.colours.length - 1))];
            return rgb(of).every((part, c) => part === dots[4 * i + c]);
        }));
    }
    const head = [...document.querySelectorAll("#statistics th button")].find((b) => /Value|^A/.test(b.textContent));
    head.click();
    const numbers = [...document.querySelectorAll("#statistics tbody tr")].map((row) =>
        Number(row.children[2].textContent.replaceAll(",", "")));
    note.didSort = String(numbers.length > 3 && numbers.every((n, i) => !i || n <= numbers[i - 1]));
});

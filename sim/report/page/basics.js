/*
 * What all parts of the page use: elements, numbers, colours. Text from the data
 * comes into the page as text nodes and attributes only, never as HTML.
 */

/* For tests: what went wrong, and later how many charts were drawn. */
addEventListener("error", (event) => {
    const root = document.documentElement.dataset;
    root.errors = `${root.errors ?? ""}${event.message}\n`;
});

function fill(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) {
        if (name === "on")
            for (const [event, handler] of Object.entries(value))
                node.addEventListener(event, handler);
        else if (value === true)
            node.setAttribute(name, "");
        else if (value !== false && value !== null && value !== undefined)
            node.setAttribute(name, value);
    }
    node.append(...children.flat().filter((child) => child !== null && child !== undefined));
    return node;
}

const el = (tag, attributes = {}, ...children) =>
    fill(document.createElement(tag), attributes, children);
const svg = (tag, attributes = {}, ...children) =>
    fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

/* A select with a label. options: [value, text] pairs, or [title, list of such pairs]. */
function chooser(label, options, chosen, changed) {
    const option = ([value, text]) => (Array.isArray(text)
        ? el("optgroup", { label: value }, text.map(option))
        : el("option", { value, selected: value === chosen }, text));
    const select = el("select", { on: { change: () => changed(select.value) } },
        options.map(option));
    return el("label", { class: "field" }, label, select);
}

/* ---- numbers ---- */

const whole = (n) => Math.round(n).toLocaleString("en-US");
const percent = (share) => {
    const p = 100 * share, size = Math.abs(p);
    if (size > 0 && size < 0.001)
        return `${p < 0 ? ">-" : "<"}0.001 %`;
    return `${size > 0 && size < 0.1 ? p.toPrecision(1) : p.toFixed(1)} %`;
};
/* Four digits, and a letter for thousands and millions. */
function short(n) {
    const size = Math.abs(n);
    if (size >= 1e15 || (size > 0 && size < 1e-4))
        return n.toExponential(2);
    for (const [unit, letter] of [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e4, "k"]])
        if (size >= unit)
            return `${Number((n / (letter === "k" ? 1e3 : unit)).toPrecision(4))} ${letter}`;
    return String(Number.isInteger(n) ? n : Number(n.toPrecision(4)));
}
const signed = (text, n) => (n > 0 && text[0] !== "<" ? `+${text}` : text);

/* ---- colours ---- */

const variable = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const faint = (hex, alpha) => hex + Math.round(alpha * 255).toString(16).padStart(2, "0");

/* Red, green and blue, 0 to 255, of #rrggbb. */
const rgb = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));

/* Black or white, whichever is easier to read on the colour. */
function ink(hex) {
    const [r, g, b] = rgb(hex);
    return 0.299 * r + 0.587 * g + 0.114 * b > 140 ? "#111" : "#fff";
}

/* Dark blue to yellow, as viridis: #rrggbb; share from 0 to 1. */
function heatColour(share) {
    const stops = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];
    const at = Math.min(Math.max(share, 0), 1) * (stops.length - 1);
    const low = Math.min(Math.floor(at), stops.length - 2);
    const mix = stops[low].map((c, i) => Math.round(c + (stops[low + 1][i] - c) * (at - low)));
    return `#${mix.map((c) => c.toString(16).padStart(2, "0")).join("")}`;
}

/* A strip of the colours of a scale, at(share) being one. */
function scaleStrip(at) {
    const stops = [0, 0.25, 0.5, 0.75, 1].map(at).join(", ");
    return el("span", { class: "scale", style: `background: linear-gradient(to right, ${stops})` });
}

// Where units stood, attacked and were lost, as colours over the hexes of the board.

const map = JSON.parse(byId("archive").textContent);
const KINDS = {
  stood: ["stood", "counters there at the end of a turn"],
  attacked: ["attacked", "attacks on the hex"],
  died: ["were lost", "counters and steps lost there"],
};
const kinds = Object.keys(KINDS).filter((kind) => map.heat[kind] && Object.keys(map.heat[kind]).length);
const shown = { kind: kinds[0], side: "" };

function countsNow() {
  const counts = {};
  for (const [side, hexes] of Object.entries(map.heat[shown.kind] || {})) {
    if (shown.side && side !== shown.side) continue;
    for (const [hex, number] of Object.entries(hexes)) counts[hex] = (counts[hex] || 0) + number;
  }
  return counts;
}

function showMap() {
  const counts = countsNow();
  const most = Math.max(0, ...Object.values(counts));
  show(
    byId("heat"),
    Object.entries(counts).map(([hex, number]) => {
      const [x, y] = map.hexes[hex];
      const points = map.corners.map(([across, down]) => `${x + across},${y + down}`).join(" ");
      const strength = 0.12 + 0.73 * Math.sqrt(number / most);
      return draw(
        "polygon",
        { points, fill: `rgb(178 16 16 / ${strength.toFixed(3)})` },
        draw("title", {}, `${hex}: ${number}`),
      );
    }),
    Object.entries(counts)
      .sort(([, one], [, other]) => other - one)
      .slice(0, 12)
      .map(([hex, number]) => draw("text", { x: map.hexes[hex][0], y: map.hexes[hex][1] }, number)),
  );
  show(byId("scale"), "1", el("i", {}), `${most} ${KINDS[shown.kind][1]}`);
}

function choice(name, options, set) {
  return el(
    "label",
    {},
    name,
    el(
      "select",
      {
        onchange: (event) => {
          set(event.target.value);
          showMap();
        },
      },
      options.map(([value, words]) => el("option", { value }, words)),
    ),
  );
}

function begin() {
  show(byId("top"), el("div", {}, el("h1", {}, map.title), el("p", {}, map.subtitle)), el("a", { class: "to", href: "index.html#scenarios" }, "All tables"));
  byId("tabs").remove();
  const picture = draw("svg", { id: "map", viewBox: `0 0 ${map.width} ${map.height}`, role: "img", "aria-label": map.title });
  picture.append(
    draw("image", { href: map.image, class: "ground", width: map.width, height: map.height }),
    draw("g", { id: "heat" }),
  );
  show(
    byId("sheet"),
    kinds.length
      ? [
          el(
            "div",
            { class: "find" },
            choice("Units", [["", "both sides"], ...Object.entries(map.sides)], (value) => (shown.side = value)),
            choice("Where they", kinds.map((kind) => [kind, KINDS[kind][0]]), (value) => (shown.kind = value)),
            el("div", { id: "scale", class: "scale", "aria-live": "polite" }),
          ),
          picture,
        ]
      : el("p", {}, "Nothing has happened on this board yet."),
  );
  show(byId("foot"), el("p", {}, map.made));
  if (kinds.length) showMap();
}

begin();

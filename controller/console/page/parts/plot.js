// A plot, drawn by uPlot, which the browser fetches when the first is wanted. It is a picture: its words are beside it.

import { Component, html } from "../html.js";

const HEIGHT = 220;
const MARK = 12; // pixels
const MOST_NAMES = 8; // below a plot
const CSS = "/page/vendor/uPlot.min.css";
const MODULE = "../vendor/uPlot.esm.js";

let fetched = null;

function library() {
  fetched ??= import(MODULE).then((module) => {
    document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: CSS }));
    return module.default;
  });
  return fetched;
}

// `lines` are {colour, data} over `at`, in seconds, or over `names` as bars; `stepped` ones keep a value until the next,
// of `marks` there are only points. `between` are two of the lines with what is
// expected between them. `across` and `up` give the texts of the axes' ticks; `within` is the time that is shown.
export class Plot extends Component {
  componentDidMount() {
    library().then((uPlot) => this.box && this.draw(uPlot));
  }

  componentWillUnmount() {
    this.watching?.disconnect();
    this.plot?.destroy();
    this.box = null;
  }

  draw(uPlot) {
    const { at, names, lines, between, within, across, up } = this.props;
    const style = getComputedStyle(this.box);
    const [text, line] = [style.color, style.getPropertyValue("--line")];
    const axis = (values, size) => ({ stroke: text, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 },
      font: `14px ${style.fontFamily}`, size, values: (_, ticks) => ticks.map(values) });
    const drawn = names ? { paths: uPlot.paths.bars({ size: [0.7, 60] }), points: { show: false } } : { points: { show: at.length < 2 } };
    const own = ({ stepped, marks }) => ({ ...drawn, ...(stepped && { paths: uPlot.paths.stepped({ align: 1 }) }), ...(marks && { paths: () => null, points: { show: true, size: MARK } }) });
    const every = names && Math.ceil(names.length / MOST_NAMES);
    const named = names && { ...axis((place) => names[place], 36), splits: () => names.map((_, place) => place).filter((place) => place % every === 0) };
    const size = () => ({ width: this.box.clientWidth, height: HEIGHT });
    this.plot = new uPlot({
      ...size(),
      legend: { show: false },
      cursor: { show: false },
      scales: { x: { time: !names, ...(names && { range: [-0.5, names.length - 0.5] }), ...(within && { range: within }) }, y: { range: (_, low, high) => (names ? [0, Math.max(1, high * 1.08)] : spread(low, high)) } },
      axes: [named ?? axis(across, 36), axis(up, 96)],
      series: [{}, ...lines.map((line) => ({ stroke: style.getPropertyValue(line.colour), fill: names && style.getPropertyValue(line.colour), width: 2, dash: line.dash, ...own(line) }))],
      bands: between ? [{ series: between, fill: style.getPropertyValue("--brass-light") }] : [],
    }, [at ?? names.map((_, place) => place), ...lines.map(({ data }) => data)], this.box);
    this.watching = new ResizeObserver(() => this.plot.setSize(size()));
    this.watching.observe(this.box);
  }

  render({ title, words, children }) {
    return html`<figure class="plot"><figcaption>${title}</figcaption>
      <div role="img" aria-label=${words} ref=${(box) => { this.box = box ?? this.box; }}></div>${children}</figure>`;
  }
}

function spread(low, high) {
  const room = Math.max((high - low) * 0.08, Math.abs(high) * 0.001, 1);
  return [low - room, high + room];
}

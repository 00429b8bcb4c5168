/** The style sheet of the report. It is light or dark, like the reader's system. */
export const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --muted: #666; --good: 24 140 72; --bad: 214 96 24; }
@media (prefers-color-scheme: dark) { :root { --muted: #aaa; --good: 60 190 110; --bad: 240 130 60; } }
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 74rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin-bottom: .3rem; }
h2 { margin-top: 2.6rem; border-bottom: 1px solid var(--line); padding-bottom: .2rem; }
h3 { margin: 1.6rem 0 0; }
p { margin: .4rem 0; max-width: 48rem; }
.muted, small { color: var(--muted); }
.overall { font-size: 1.2rem; border-left: 5px solid rgb(var(--good)); padding: .6rem 1rem; background: var(--soft); max-width: none; }
.overall.busy { border-color: rgb(var(--bad)); font-size: 1rem; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(19rem, 1fr)); gap: .8rem; margin: 1rem 0; }
.card { border: 1px solid var(--line); border-top: 5px solid; border-radius: 6px; padding: .6rem .9rem; }
.card h3 { margin: 0; color: CanvasText; font-size: 1.1rem; }
.card p { color: CanvasText; font-size: .95rem; }
.card small { display: block; }
.card strong { font-weight: 600; }
.card ul { list-style: none; margin: .5rem 0; padding: 0; font-size: .9rem; color: CanvasText; }
.card li { display: flex; justify-content: space-between; gap: 1rem; border-top: 1px solid var(--line); padding: .1rem 0; }
.card .ahead b { color: rgb(var(--good)); } .card .behind b { color: rgb(var(--bad)); }
.card b { white-space: nowrap; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .35rem .6rem; border-bottom: 1px solid var(--line); text-align: right; vertical-align: top; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; white-space: normal; min-width: 10rem; }
thead th { position: sticky; top: 0; background: Canvas; }
td small { display: block; font-size: .8rem; color: inherit; opacity: .75; font-weight: 400; }
td:first-child small { font-size: .85rem; }
td.best { font-weight: 700; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(30rem, 1fr)); gap: 0 2rem; }
@media (max-width: 34rem) { .charts { grid-template-columns: 1fr; } }
svg { width: 100%; height: auto; display: block; margin: .4rem 0; }
svg text { font: 14px system-ui, sans-serif; fill: CanvasText; }
svg .spread { stroke: CanvasText; stroke-width: 1.2; fill: none; opacity: .65; }
svg .hollow { fill-opacity: .12; stroke-width: 1.5; stroke-dasharray: 4 3; }
pre { background: var(--soft); padding: .7rem 1rem; overflow-x: auto; border-radius: 6px; white-space: pre-wrap; }
details { margin: .8rem 0; } summary { cursor: pointer; font-weight: 600; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .3rem 1.2rem; } dt { font-weight: 600; } dd { margin: 0; }
${['#2b6cb0', '#2f855a', '#805ad5', '#b7791f', '#c05621', '#97266d', '#00838f', '#6b7280', '#4d7c0f']
  .map((colour, n) => `.c${n} { fill: ${colour}; stroke: ${colour}; border-top-color: ${colour}; }`)
  .join('\n')}
rect:not(.hollow) { stroke: none; }
`;

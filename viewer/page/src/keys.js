// What keys do, once: for the page's own list of them and for the keyboard.

const TURN = Math.PI / 36;
const MOVE = 0.05;
const ZOOM = 0.9;

/** [keys as a person reads them, what they do, {key: action(shift)}] of a page. */
export function keyTable(page) {
  const { clock } = page;
  const turn = (left, up) => (shift) =>
    shift ? page.views?.move(-left * MOVE, up * MOVE) : page.views?.turn(left * TURN, up * TURN);
  return [
    ["Space", "play, pause", { " ": () => clock.toggle() }],
    [
      "Left, Right",
      "step by 1 ms; with Shift by 10 ms",
      {
        ArrowLeft: (shift) => clock.step(shift ? -0.01 : -0.001),
        ArrowRight: (shift) => clock.step(shift ? 0.01 : 0.001),
      },
    ],
    [
      "Home, End",
      "start, end of the run",
      { Home: () => clock.go(clock.start), End: () => clock.go(clock.end) },
    ],
    [
      "A, D, W, S",
      "turn left, right, up, down; with Shift move",
      { a: turn(1, 0), d: turn(-1, 0), w: turn(0, 1), s: turn(0, -1) },
    ],
    [
      "+, −",
      "nearer, farther",
      {
        "+": () => page.views?.zoom(ZOOM),
        "=": () => page.views?.zoom(ZOOM),
        "-": () => page.views?.zoom(1 / ZOOM),
      },
    ],
    ["1, 2, 3 …", "cameras in their order", {}],
    ["M", "measure", { m: () => page.measure() }],
    ["F", "full screen", { f: () => page.fullScreen() }],
  ];
}

/** Whether an element uses a key itself: text for fields and lists, space and Enter for what can be pressed. */
function isTaken(target, key) {
  const { tagName, type } = target;
  if (tagName === "SELECT" || tagName === "TEXTAREA" || (tagName === "INPUT" && !/range|checkbox/.test(type)))
    return true;
  return (key === " " || key === "Enter") && /^(BUTTON|SUMMARY|TR|INPUT)$/.test(tagName) && type !== "range";
}

/** Let the keyboard drive a page. */
export function listenToKeys(page) {
  const actions = Object.assign({}, ...keyTable(page).map(([, , keys]) => keys));
  document.addEventListener("keydown", (event) => {
    const { key, target, shiftKey } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || isTaken(target, key)) return;
    const name = page.views?.names[Number(key) - 1];
    const action = actions[key] ?? actions[key.toLowerCase()];
    if (name) page.view(name);
    else if (action) action(shiftKey);
    else return;
    event.preventDefault();
  });
}

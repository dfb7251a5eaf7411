// Elements of the page. Whatever comes from a case becomes text, never markup.

/** A new element with attributes, listeners ("onclick") and children; a string child is text. */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== undefined && child !== null));
  return made;
}

/** The element of the page with this id. */
export const byId = (id) => document.getElementById(id);

/** A button with a label for everybody and a tooltip. */
export function button(label, title, onclick) {
  return element("button", { type: "button", title, "aria-label": title, onclick }, label);
}

/** A check box with its label. */
export function checkbox(label, checked, onchange) {
  const input = element("input", { type: "checkbox", checked });
  input.addEventListener("change", () => onchange(input.checked));
  return element("label", { class: "choice" }, input, label);
}

/** A choice among options [value, label]. */
export function select(title, options, chosen, onchange) {
  const made = element(
    "select",
    { "aria-label": title, title },
    ...options.map(([value, label]) => element("option", { value, selected: value === chosen }, label)),
  );
  made.addEventListener("change", () => onchange(made.value));
  return made;
}

/** A table of texts; a row with `onclick` can be reached and chosen by keyboard. Columns in `numbers` are flush right. */
export function table(header, rows, numbers = []) {
  const css = (k) => (numbers.includes(k) ? "number" : undefined);
  const head = element(
    "tr",
    {},
    ...header.map((cell, k) => element("th", { scope: "col", class: css(k) }, cell)),
  );
  const body = rows.map(({ cells, onclick, className, title }) => {
    const row = element(
      "tr",
      { class: className, title, tabindex: onclick ? "0" : undefined },
      ...cells.map((cell, k) => element("td", { class: css(k) }, cell)),
    );
    if (onclick) {
      row.addEventListener("click", onclick);
      row.addEventListener("keydown", (event) => event.key === "Enter" && onclick());
    }
    return row;
  });
  return element("table", {}, element("thead", {}, head), element("tbody", {}, ...body));
}

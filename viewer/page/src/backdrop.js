// The photograph of a matched camera, behind every pane of the view.
import { byId, element } from "./dom.js";
import { fitted, isVisible } from "./pinhole.js";

export class Backdrop {
  constructor() {
    this.camera = undefined;
    this.pictures = [];
  }

  /** Take the picture of a camera of the case, or none. panes: [left, width] of each, as shares of the whole. */
  arrange(camera, panes, width, height) {
    this.camera = camera?.picture ? camera : undefined;
    this.pictures = this.camera
      ? panes.map(([left, share]) => this._picture(left, share, width, height))
      : [];
    byId("pictures").replaceChildren(...this.pictures);
  }

  /** Show it at its time; returns whether it is shown. */
  at(time) {
    const shown = Boolean(this.camera) && isVisible(this.camera, time);
    for (const picture of this.pictures) picture.hidden = !shown;
    return shown;
  }

  _picture(left, share, width, height) {
    const place = fitted(this.camera, share * width, height);
    const picture = element("img", { src: this.camera.picture, alt: `Photograph: ${this.camera.name}` });
    picture.style.left = `${left * width + place.left}px`;
    picture.style.top = `${place.top}px`;
    picture.style.width = `${place.width}px`;
    picture.style.height = `${place.height}px`;
    return picture;
  }
}

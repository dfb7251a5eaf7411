// Where the picture of a camera lies in a pane of the page, and the camera in pixels of that pane.

/** The largest picture that a pane of some width and height holds whole: its place, and the camera's focal length and
 * principal point there. All in pixels of the page. */
export function fitted({ size, focal_length: focal, principal_point: [cx, cy] }, width, height) {
  const scale = Math.min(width / size[0], height / size[1]);
  const left = 0.5 * (width - scale * size[0]);
  const top = 0.5 * (height - scale * size[1]);
  return {
    left,
    top,
    width: scale * size[0],
    height: scale * size[1],
    focal: scale * focal,
    center: [left + scale * cx, top + scale * cy],
  };
}

/** Whether the picture of a camera is shown at a time. */
export const isVisible = ({ visible_from: from, visible_to: to }, time) =>
  (from === null || time >= from) && (to === null || time <= to);

// A double click in the picture of a page without a kernel: the body that it meets, and where.

import { firstMet, rayOf } from "../../scene/page/pick.js";
import { listen, modelOf } from "../../scene/page/shared/models.js";

// `picked(body, point)`: its index, and the point in its own axes.
export async function connectPicking(manager, player, picked) {
  const scene = await modelOf(manager, player.get("scene"));
  const bodies = await Promise.all(player.get("bodies").map((item) => modelOf(manager, item)));
  let [canvas, eye] = [null, null];
  const twice = (event) => {
    const met = firstMet(
      bodies.map(({ obj }) => obj),
      rayOf(canvas, eye, event),
    );
    if (!met) return;
    const point = eye.position.clone().set(...met.point);
    picked(met.body, bodies[met.body].obj.worldToLocal(point).toArray());
  };
  listen(scene, {
    afterRender: (_, renderer, camera) => {
      eye = camera;
      if (canvas === renderer.domElement) return;
      canvas?.removeEventListener("dblclick", twice);
      canvas = renderer.domElement;
      canvas.addEventListener("dblclick", twice);
    },
  });
  scene.trigger("rerender", scene, {});
}

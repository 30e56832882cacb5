// Marks on a body that the page moves: points, lines and planes.

// Put a mark on its body: its place, then the directions of its y and its x; one that is nowhere is not seen.
export function placeMark(mark, numbers) {
  mark.visible = numbers.every(Number.isFinite);
  if (!mark.visible) return;
  const [place, y, x] = [0, 3, 6].map((at) => mark.position.clone().fromArray(numbers, at));
  mark.position.copy(place);
  if (numbers.length === 6) mark.quaternion.setFromUnitVectors(y.clone().set(0, 1, 0), y);
  if (numbers.length === 9) {
    mark.quaternion.setFromRotationMatrix(mark.matrix.clone().makeBasis(x, y, x.clone().cross(y)));
  }
}

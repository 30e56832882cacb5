// Steps of a scale.

// Steps of a scale that a person would choose: 1, 2 or 5 of a decade.
export function niceStep(raw) {
  const decade = 10 ** Math.floor(Math.log10(raw));
  return decade * (raw / decade < 1.5 ? 1 : raw / decade < 3.5 ? 2 : raw / decade < 7.5 ? 5 : 10);
}

// Choices by menus, as page_variants.py tells them.

const alike = (a, b) => JSON.stringify(a) === JSON.stringify(b);

// Whether the menus stand where a choice is made, or in one of several places; `at` gives their places by reference.
export const isChosen = (when, at) =>
  when.every(([menu, place, among]) => {
    const here = at.get(menu);
    return among ? place.some((one) => alike(one, here)) : alike(place, here);
  });

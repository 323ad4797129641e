// What this page has of the game that is played: a module by its name among the felts, whose default is that.

let played = {};

export async function bring(game) {
  played = await import(`./felts/${game}.js`).then((felt) => felt.default, () => ({}));
}

// {felt, answers, forms}: what it draws, its own answers to some steps, its own forms. A game that has no module here
// has no felt.
export function own() {
  return { felt: null, answers: {}, forms: {}, ...played };
}

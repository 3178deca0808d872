/* What the browser keeps for this page: in this tab (sessionStorage) or for good (localStorage).
   Some browsers refuse both, and a tab may be full: then nothing is kept. */

export function recall(where, name) {
  try {
    return JSON.parse(window[where].getItem(`rewrite-play ${name}`));
  } catch {
    return null;
  }
}

export function keep(where, name, value) {
  try {
    window[where].setItem(`rewrite-play ${name}`, JSON.stringify(value));
  } catch {
    return;
  }
}

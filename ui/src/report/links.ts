// Links to pages of a server, without loading it anew; with a key held they open as the browser does.

export function followed(event: MouseEvent, go: () => void): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button) return;
  event.preventDefault();
  go();
}

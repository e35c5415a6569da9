// No module, so that it has run before the first paint: the colours that the person has chosen. See settings.js.

try {
  document.documentElement.dataset.theme = localStorage.getItem("winnable.theme") ?? "system";
} catch {
  // Storage is forbidden: as the system has it.
}

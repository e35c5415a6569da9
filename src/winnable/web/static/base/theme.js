// The page's choice between light and dark.

import { on } from "./bus.js";
import { $, el } from "./dom.js";
import { t } from "./i18n.js";
import { changeTheme, settings } from "./settings.js";

export function mountTheme() {
  const select = $("theme");
  on("language", () => {
    select.replaceChildren(...["system", "light", "dark"].map((theme) => el("option", { value: theme }, t(`settings.theme.${theme}`))));
    select.value = settings.theme;
  });
  select.addEventListener("change", () => changeTheme(select.value));
}

const KEY = "mainsheet-theme";
const CHOICES = ["auto", "light", "dark"] as const;
type Choice = (typeof CHOICES)[number];

/** Lets the reader choose a theme, and remembers it where the browser allows; `auto` is the system's. */
export function themeChoice(select: HTMLSelectElement, onChange: () => void): void {
  for (const choice of CHOICES) select.add(new Option(choice, choice));
  select.value = remembered();
  apply(select.value);
  select.addEventListener("change", () => {
    remember(select.value);
    apply(select.value);
    onChange();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", onChange);
}

function apply(choice: string): void {
  if (choice === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = choice;
}

function remembered(): Choice {
  try {
    return CHOICES.find((choice) => choice === localStorage.getItem(KEY)) ?? "auto";
  } catch {
    // A file or a private window may have no storage.
    return "auto";
  }
}

function remember(choice: string): void {
  try {
    localStorage.setItem(KEY, choice);
  } catch {
    // Then it lasts as long as the page.
  }
}

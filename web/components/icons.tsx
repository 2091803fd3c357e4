/** The few signs of the page, drawn with the text's own colour. */

export const Chevron = () => (
  <svg class="icon chevron" viewBox="0 0 10 10" aria-hidden="true"><path d="M2 3.5 5 6.5 8 3.5" /></svg>
);

/** The mark: a memory bar, filled to where the needle stands. */
export const Mark = () => (
  <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
    <rect class="mark-track" x="3" y="11" width="26" height="10" rx="1.5" />
    <rect class="mark-fill" x="3" y="11" width="15" height="10" rx="1.5" />
    <path class="mark-needle" d="M20.5 6v20" />
  </svg>
);

export const ThemeIcon = ({ theme }: { theme: "auto" | "light" | "dark" }) => (
  <svg class="icon theme" viewBox="0 0 16 16" aria-hidden="true">
    <circle cx="8" cy="8" r="6" />
    {theme === "auto" && <path class="solid" d="M8 2a6 6 0 0 1 0 12z" />}
    {theme === "dark" && <circle class="solid" cx="8" cy="8" r="6" />}
  </svg>
);

export const LinkIcon = () => (
  <svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d="M6.5 9.5 9.5 6.5M7 4.5l1.6-1.6a3 3 0 0 1 4.4 4.3L11.5 9M9 11.5l-1.6 1.6A3 3 0 0 1 3 8.800L4.500 7.200" /></svg>
);

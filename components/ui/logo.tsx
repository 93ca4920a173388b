/** The mark of the product. */
export function Logo() {
  return (
    <svg className="logo" viewBox="0 0 24 24" aria-hidden="true">
      <path
        d="M3 3.5h6.5a8.5 8.5 0 0 1 0 17H3"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.6"
        strokeLinecap="round"
      />
      <circle cx="7.6" cy="12" r="2.9" fill="currentColor" />
    </svg>
  );
}

/** The logo shows one core with its data paths. */
import { Trans } from "@lingui/react/macro";
export function Brand() {
  return (
    <span className="vm-brand">
      <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true" focusable="false">
        <rect width="32" height="32" rx="7" className="vm-brand-tile" />
        <path d="M16 6v20M6 16h20M9 9l14 14M23 9 9 23" className="vm-brand-lines" />
        <g className="vm-brand-dots">
          <circle cx="16" cy="16" r="4.4" />
          <circle cx="16" cy="6" r="2.2" />
          <circle cx="16" cy="26" r="2.2" />
          <circle cx="6" cy="16" r="2.2" />
          <circle cx="26" cy="16" r="2.2" />
        </g>
      </svg>
      <span>
        <Trans>VNF Manager</Trans>
      </span>
    </span>
  );
}

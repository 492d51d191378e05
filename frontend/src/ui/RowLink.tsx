import {
  createContext,
  use,
  useCallback,
  useEffect,
  useRef,
  type AnchorHTMLAttributes,
  type MouseEvent,
  type ReactNode,
} from "react";
import { createPath, Link, resolvePath, useLocation, useNavigate } from "react-router";

type Follow = (event: MouseEvent<HTMLAnchorElement>, to: string, preventScrollReset: boolean) => void;
const FollowContext = createContext<Follow | undefined>(undefined);

/** Handles clicks on all links below it, so that these need not listen to the address and render when it changes. */
export function RowLinks({ children }: { children: ReactNode }) {
  const location = useLocation();
  const latest = useRef(location);
  useEffect(() => {
    latest.current = location;
  });
  const navigate = useNavigate();
  const follow = useCallback<Follow>(
    (event, to, preventScrollReset) => {
      // The browser opens the link elsewhere if a modifier or another button is pressed.
      if (event.button !== 0 || event.metaKey || event.altKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      const { current } = latest;
      const replace = createPath(resolvePath(to, current.pathname)) === createPath(current);
      void navigate(to, { replace, preventScrollReset });
    },
    [navigate],
  );
  return <FollowContext value={follow}>{children}</FollowContext>;
}

interface Props extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href" | "onClick"> {
  /** An absolute path, or the query of this page. */
  to: string;
  preventScrollReset?: boolean;
}

/** The router's `Link` listens to the address: a list would render 300 of them at each click. */
export function RowLink({ to, preventScrollReset = false, children, ...rest }: Props) {
  const follow = use(FollowContext);
  if (!follow) {
    return (
      <Link to={to} preventScrollReset={preventScrollReset} {...rest}>
        {children}
      </Link>
    );
  }
  return (
    <a href={to} onClick={(event) => follow(event, to, preventScrollReset)} {...rest}>
      {children}
    </a>
  );
}

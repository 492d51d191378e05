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

/** Lets the links of rows below it lead on without a full load of the page; none of them renders when the address changes. */
export function RowLinks({ children }: { children: ReactNode }) {
  const location = useLocation();
  const latest = useRef(location);
  useEffect(() => {
    latest.current = location;
  });
  const navigate = useNavigate();
  const follow = useCallback<Follow>(
    (event, to, preventScrollReset) => {
      // With a modifier or another button the browser opens it elsewhere.
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
  /** An absolute path, or what follows "?" on this page. */
  to: string;
  preventScrollReset?: boolean;
}

/** A link in a row. The router's `Link` listens to the address: a page of a list had 300 to render at each click. */
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

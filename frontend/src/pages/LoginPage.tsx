import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useEffect } from "react";
import { Brand } from "@/ui/Brand";
import { LoginForm } from "@/features/account/LoginForm";

export function LoginPage() {
  useEffect(() => {
    document.title = t`Log in · VNF Manager`;
  }, []);
  return (
    <main className="vm-login">
      <div className="vm-login-card">
        <Brand />
        <h1>
          <Trans>Log in</Trans>
        </h1>
        <LoginForm />
        <p className="vm-quiet">
          <Trans>
            <code>./vnfm up</code> and <code>./vnfm status</code> print the name and password of the first
            administrator.
          </Trans>
        </p>
      </div>
    </main>
  );
}

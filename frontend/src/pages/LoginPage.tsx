import { useEffect } from "react";
import { Brand } from "@/ui/Brand";
import { LoginForm } from "@/forms/login";

export function LoginPage() {
  useEffect(() => {
    document.title = "Log in · VNF Manager";
  }, []);
  return (
    <main className="vm-login">
      <div className="vm-login-card">
        <Brand />
        <h1>Log in</h1>
        <LoginForm />
        <p className="vm-quiet">
          The first administrator&apos;s name and password are printed by <code>./vnfm up</code>, and by{" "}
          <code>./vnfm status</code> at any time.
        </p>
      </div>
    </main>
  );
}

import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { ActionGroup, Alert, Button, Form, TextInput } from "@patternfly/react-core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { sessionCreate } from "@/api/calls";
import { isStatus } from "@/api/http";
import { keys } from "@/api/keys";
import { Field } from "@/ui/Field";
import { ProblemAlert } from "@/ui/Problem";

export function LoginForm({ username: known = "" }: { username?: string }) {
  const client = useQueryClient();
  const [username, setUsername] = useState(known);
  const [password, setPassword] = useState("");
  const [asked, setAsked] = useState(false);
  const nameField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);
  const login = useMutation({
    mutationFn: () => sessionCreate(username, password),
    onSuccess: (session) => client.setQueryData(keys.session, session),
    onError: () => {
      setPassword("");
      setAsked(false);
      passwordField.current?.focus();
    },
  });
  const missing = t`This field is required.`;
  return (
    <Form
      aria-label={t`Log in`}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (login.isPending) return;
        setAsked(true);
        if (!username) nameField.current?.focus();
        else if (!password) passwordField.current?.focus();
        else login.mutate();
      }}
    >
      {login.isError &&
        (isStatus(login.error, 401) ? (
          <Alert
            isInline
            variant="danger"
            component="h2"
            role="alert"
            className="vm-alert"
            title={t`Wrong username or password`}
          />
        ) : (
          <ProblemAlert error={login.error} level="h2" />
        ))}
      <Field id="username" label={t`Username`} required error={asked && !username ? missing : undefined}>
        {(aria) => (
          <TextInput
            {...aria}
            autoComplete="username"
            ref={nameField}
            value={username}
            onChange={(_event, value) => setUsername(value)}
          />
        )}
      </Field>
      <Field id="password" label={t`Password`} required error={asked && !password ? missing : undefined}>
        {(aria) => (
          <TextInput
            {...aria}
            type="password"
            autoComplete="current-password"
            ref={passwordField}
            value={password}
            onChange={(_event, value) => setPassword(value)}
          />
        )}
      </Field>
      <ActionGroup>
        <Button type="submit" isBlock isLoading={login.isPending} isDisabled={login.isPending}>
          <Trans>Log in</Trans>
        </Button>
      </ActionGroup>
    </Form>
  );
}

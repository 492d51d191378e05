import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { ActionGroup, Button, Form, FormGroup, TextInput } from "@patternfly/react-core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { sessionCreate } from "@/api/calls";
import { keys } from "@/api/keys";
import { ProblemAlert } from "@/ui/Problem";

export function LoginForm({ username: known = "" }: { username?: string }) {
  const client = useQueryClient();
  const [username, setUsername] = useState(known);
  const [password, setPassword] = useState("");
  const passwordField = useRef<HTMLInputElement>(null);
  const login = useMutation({
    mutationFn: () => sessionCreate(username, password),
    onSuccess: (session) => client.setQueryData(keys.session, session),
    onError: () => {
      setPassword("");
      passwordField.current?.focus();
    },
  });
  return (
    <Form
      aria-label={t`Log in`}
      onSubmit={(event) => {
        event.preventDefault();
        if (username && password && !login.isPending) login.mutate();
      }}
    >
      {login.isError && <ProblemAlert error={login.error} level="h2" />}
      <FormGroup label={t`Username`} fieldId="username" className="vm-required">
        <TextInput
          id="username"
          autoComplete="username"
          isRequired
          value={username}
          onChange={(_event, value) => setUsername(value)}
        />
      </FormGroup>
      <FormGroup label={t`Password`} fieldId="password" className="vm-required">
        <TextInput
          id="password"
          type="password"
          autoComplete="current-password"
          isRequired
          ref={passwordField}
          value={password}
          onChange={(_event, value) => setPassword(value)}
        />
      </FormGroup>
      <ActionGroup>
        <Button
          type="submit"
          isBlock
          isLoading={login.isPending}
          isDisabled={!username || !password || login.isPending}
        >
          <Trans>Log in</Trans>
        </Button>
      </ActionGroup>
    </Form>
  );
}

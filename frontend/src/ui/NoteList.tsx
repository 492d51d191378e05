import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button, Form, TextArea } from "@patternfly/react-core";
import { useMutation, useQueryClient, type QueryKey, type UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";
import type { Note } from "@/api/types";
import { ChangeButton } from "./ActionButton";
import { LoadingNote } from "./LoadingNote";
import { ProblemAlert } from "./Problem";
import { Ago } from "./Time";

const LONGEST = 2000;

interface Props {
  notes: Pick<UseQueryResult<Note[]>, "data" | "error">;
  queryKey: QueryKey;
  add: (text: string) => Promise<unknown>;
  /** Users can delete only notes that are `isMine`. */
  remove?: (note: Note) => Promise<unknown>;
  isMine?: (note: Note) => boolean;
}

export function NoteList({ notes: { data: notes, error }, queryKey, add, remove, isMine }: Props) {
  const client = useQueryClient();
  const [text, setText] = useState("");
  const refresh = () => client.invalidateQueries({ queryKey });
  const adding = useMutation({
    mutationFn: () => add(text.trim()),
    onSuccess: () => {
      setText("");
      return refresh();
    },
  });
  const removing = useMutation({ mutationFn: async (note: Note) => remove?.(note), onSuccess: refresh });
  return (
    <div className="vm-stack-tight">
      {error && !notes && <ProblemAlert error={error} />}
      {!error && !notes && (
        <LoadingNote>
          <Trans>Loading the notes…</Trans>
        </LoadingNote>
      )}
      {notes?.length === 0 && (
        <p className="vm-quiet">
          <Trans>No notes yet.</Trans>
        </p>
      )}
      <ul className="vm-notes" aria-label={t`Notes`}>
        {notes?.map((note) => (
          <li key={note.id}>
            <span className="vm-quiet">
              {note.author}, <Ago at={note.at} />
            </span>{" "}
            {remove && isMine?.(note) && (
              <Button
                variant="link"
                isInline
                isDanger
                aria-label={t`Delete the note: ${note.text.slice(0, 40)}`}
                isDisabled={removing.isPending}
                onClick={() => removing.mutate(note)}
              >
                <Trans>Delete</Trans>
              </Button>
            )}
            <p>{note.text}</p>
          </li>
        ))}
      </ul>
      {removing.isError && <ProblemAlert error={removing.error} />}
      {adding.isError && <ProblemAlert error={adding.error} />}
      <Form
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim()) adding.mutate();
        }}
      >
        <TextArea
          aria-label={t`New note`}
          rows={2}
          maxLength={LONGEST}
          resizeOrientation="vertical"
          value={text}
          onChange={(_event, typed) => setText(typed)}
        />
        <div>
          <ChangeButton
            type="submit"
            variant="secondary"
            size="sm"
            isLoading={adding.isPending}
            isDisabled={!text.trim() || adding.isPending}
          >
            <Trans>Add the note</Trans>
          </ChangeButton>
        </div>
      </Form>
    </div>
  );
}

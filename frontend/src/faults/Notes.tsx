import { Form, TextArea } from "@patternfly/react-core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { alarmNoteCreate } from "@/api/calls-faults";
import { keys, q } from "@/api/queries";
import { ChangeButton } from "@/ui/ActionButton";
import { ProblemAlert } from "@/ui/Problem";
import { Ago } from "@/ui/Time";

const LONGEST = 2000;

/** What people wrote at an alarm; it stays. */
export function Notes({ alarmId }: { alarmId: string }) {
  const client = useQueryClient();
  const { data: notes, error } = useQuery(q.alarmNotes(alarmId));
  const [text, setText] = useState("");
  const add = useMutation({
    mutationFn: () => alarmNoteCreate(alarmId, text.trim()),
    onSuccess: () => {
      setText("");
      return client.invalidateQueries({ queryKey: keys.alarmNotes(alarmId) });
    },
  });
  return (
    <div className="vm-stack-tight">
      {error && !notes && <ProblemAlert error={error} />}
      {notes?.length === 0 && <p className="vm-quiet">Nobody has written anything yet.</p>}
      <ul className="vm-notes" aria-label="Notes">
        {notes?.map((note) => (
          <li key={note.id}>
            <span className="vm-quiet">
              {note.author}, <Ago at={note.at} />
            </span>
            <p>{note.text}</p>
          </li>
        ))}
      </ul>
      {add.isError && <ProblemAlert error={add.error} />}
      <Form
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim()) add.mutate();
        }}
      >
        <TextArea
          aria-label="New note"
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
            isLoading={add.isPending}
            isDisabled={!text.trim() || add.isPending}
          >
            Add the note
          </ChangeButton>
        </div>
      </Form>
    </div>
  );
}

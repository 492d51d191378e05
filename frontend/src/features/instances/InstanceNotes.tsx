import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { instanceNoteCreate, instanceNoteDelete } from "@/api/callsInstance";
import { keys } from "@/api/keys";
import { q } from "@/api/queries";
import type { VnfInstance } from "@/api/types";
import { NoteList } from "@/ui/NoteList";
import { Panel } from "@/ui/Panel";

export function InstanceNotes({ instance: { id } }: { instance: VnfInstance }) {
  const notes = useQuery(q.instanceNotes(id));
  const { data: session } = useQuery(q.session());
  return (
    <Panel title={t`Notes`} {...(notes.data ? { count: notes.data.length } : {})}>
      <NoteList
        notes={notes}
        queryKey={keys.instanceNotes(id)}
        add={(text) => instanceNoteCreate(id, text)}
        remove={(note) => instanceNoteDelete(id, note.id)}
        isMine={({ author }) => author === session?.username}
      />
    </Panel>
  );
}

import { useQuery } from "@tanstack/react-query";
import { alarmNoteCreate } from "@/api/callsFaults";
import { keys } from "@/api/keys";
import { q } from "@/api/queries";
import { NoteList } from "@/ui/NoteList";

/** Notes cannot be deleted. */
export function AlarmNotes({ alarmId }: { alarmId: string }) {
  const notes = useQuery(q.alarmNotes(alarmId));
  return <NoteList notes={notes} queryKey={keys.alarmNotes(alarmId)} add={(text) => alarmNoteCreate(alarmId, text)} />;
}

import PlusCircleIcon from "@patternfly/react-icons/dist/esm/icons/plus-circle-icon";
import { useEffect, useState, type MouseEvent } from "react";
import { ChangeButton } from "@/ui/ActionButton";
import type { NewRecord } from "./fields";
import { NewRecordDialog, type NewObject } from "./RecordDialog";

interface Props {
  adds: NewRecord;
  /** Distinguishes several such buttons of one page. */
  label?: string;
  onMade: (made: NewObject) => void;
}

/**
 * A button below a choice that creates a new option in a dialog. On top of another dialog it is appended to an
 * element of its own: PatternFly shows the page to screen readers again when any dialog of `body` closes.
 */
export function AddRecord({ adds, label, onMade }: Props) {
  const [open, setOpen] = useState<{ place: HTMLElement | undefined }>();
  useEffect(() => {
    const place = open?.place;
    if (!place) return undefined;
    // A click on text or on a disabled button moves the focus to `body`, where the dialog below would handle Escape.
    function escape(event: KeyboardEvent) {
      if (event.key !== "Escape" || (event.target instanceof Node && place?.contains(event.target))) return;
      event.stopPropagation();
      setOpen(undefined);
    }
    document.addEventListener("keydown", escape, true);
    return () => {
      document.removeEventListener("keydown", escape, true);
      place.remove();
    };
  }, [open]);
  function show({ currentTarget }: MouseEvent) {
    const place = currentTarget.closest("[role=dialog]") ? document.createElement("div") : undefined;
    if (place) document.body.append(place);
    setOpen({ place });
  }
  const close = () => setOpen(undefined);
  return (
    <div className="vm-add-record">
      <ChangeButton variant="link" isInline icon={<PlusCircleIcon />} aria-label={label ?? adds.title} onClick={show}>
        {adds.title}
      </ChangeButton>
      {open && (
        <NewRecordDialog
          adds={adds}
          appendTo={open.place}
          onMade={(made) => {
            close();
            onMade(made);
          }}
          onClose={close}
        />
      )}
    </div>
  );
}

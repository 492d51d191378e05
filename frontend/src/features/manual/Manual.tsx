import "@/ui/styles/manual.css";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button, Modal, ModalBody, ModalHeader, SearchInput } from "@patternfly/react-core";
import { useEffect, useRef, useState } from "react";
import { chapterOf, CHAPTERS, searchManual } from "./chapters";
import { Markdown } from "./Markdown";

interface ListProps {
  shown: string;
  typed: string;
  onShow: (id: string) => void;
}

function ChapterList({ shown, typed, onShow }: ListProps) {
  const lines = typed.trim() === "" ? CHAPTERS.map((chapter) => ({ chapter, excerpt: "" })) : searchManual(typed);
  return (
    <nav aria-label={t`Chapters`}>
      <p role="status" className="vm-quiet">
        {lines.length === 0 ? t`No chapter has “${typed.trim()}”.` : ""}
      </p>
      <ul className="vm-plain-list">
        {lines.map(({ chapter: { id, title }, excerpt }) => (
          <li key={id}>
            <Button variant="link" isInline aria-current={id === shown ? "page" : undefined} onClick={() => onShow(id)}>
              {title}
            </Button>
            {excerpt && <div className="vm-quiet">{excerpt}</div>}
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface Props {
  /** The path of the page below the manual. */
  pathname: string;
  onClose: () => void;
}

export default function Manual({ pathname, onClose }: Props) {
  const [shown, setShown] = useState(() => chapterOf(pathname));
  const [typed, setTyped] = useState("");
  const text = useRef<HTMLElement>(null);
  const chapter = CHAPTERS.find(({ id }) => id === shown);
  useEffect(() => text.current?.focus(), [shown]);
  return (
    <Modal isOpen variant="large" onClose={onClose} aria-labelledby="manual-title" elementToFocus="#manual-text">
      <ModalHeader title={t`Manual`} labelId="manual-title" />
      <ModalBody>
        <div className="vm-manual">
          <div>
            <SearchInput
              aria-label={t`Search the manual`}
              placeholder={t`Search the manual`}
              value={typed}
              onChange={(_event, value) => setTyped(value)}
              onClear={() => setTyped("")}
            />
            <ChapterList shown={shown} typed={typed} onShow={setShown} />
          </div>
          {chapter ? (
            <article ref={text} id="manual-text" tabIndex={-1} aria-labelledby="manual-chapter">
              <h2 id="manual-chapter">{chapter.title}</h2>
              <Markdown text={chapter.text} />
            </article>
          ) : (
            <Trans>No such chapter.</Trans>
          )}
        </div>
      </ModalBody>
    </Modal>
  );
}

import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button } from "@patternfly/react-core";
import { type Ref } from "react";
import type { Finding } from "@/api/types";
import { CodeArea, type CodeAreaHandle } from "@/ui/CodeArea";
import { FINDING } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";

/** The server uses this file name in its findings. */
export const VNFD = "vnfd.yaml";

interface Props {
  text: string;
  edited: boolean;
  findings: readonly Finding[];
  /** False while the text is newer than the findings. */
  current: boolean;
  disabled: boolean;
  onChange: (text: string) => void;
  onReset: () => void;
  editor: Ref<CodeAreaHandle>;
  onGoTo: (line: number) => void;
}

/** Plain Heat templates get a derived VNFD that the user corrects; findings stand below with their lines. */
export function VnfdEditor({ text, edited, findings, current, disabled, onChange, onReset, editor, onGoTo }: Props) {
  const mine = findings.filter((each) => each.file === VNFD).sort((a, b) => a.line - b.line);
  const errors = mine.filter((each) => each.severity === "error");
  return (
    <div className="vm-stack">
      <p className="vm-quiet">
        <Trans>
          A HOT contains no provider, versions or VM requirements: add them here. Validation runs as you type.
        </Trans>
      </p>
      <CodeArea
        id="onboard-vnfd"
        label={t`VNFD`}
        value={text}
        invalid={errors.length > 0}
        marked={new Set(errors.map((each) => each.line).filter((line) => line > 0))}
        describedBy="onboard-vnfd-faults"
        disabled={disabled}
        onChange={onChange}
        ref={editor}
      />
      <div className="vm-editor-foot">
        <span id="onboard-vnfd-faults" role="status">
          {!current
            ? t`Checking…`
            : errors.length === 0
              ? t`No errors in the VNFD.`
              : plural(errors.length, { one: "# error:", other: "# errors:" })}
        </span>
        <Button variant="link" isInline isDisabled={!edited || disabled} onClick={onReset}>
          <Trans>Back to the derived VNFD</Trans>
        </Button>
      </div>
      {mine.length > 0 && (
        <ul className="vm-faults" aria-label={t`Errors in the VNFD`}>
          {mine.map((each) => (
            <li key={`${each.pointer} ${each.message}`}>
              <StateLabel look={FINDING[each.severity]} />
              {each.line > 0 && (
                <Button variant="link" isInline onClick={() => onGoTo(each.line)}>
                  <Trans>Line {each.line}</Trans>
                </Button>
              )}
              <span>{each.message}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

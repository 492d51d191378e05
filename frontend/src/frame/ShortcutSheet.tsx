import { Trans } from "@lingui/react/macro";
import { t } from "@lingui/core/macro";
import { Modal, ModalBody, ModalHeader, Switch } from "@patternfly/react-core";
import { KeyCaps } from "./KeyCaps";
import { PALETTE_KEYS, GO_TO, switchShortcuts, useShortcutsOn } from "./shortcuts";

const SHORTCUTS: readonly (readonly [text: string, keys: readonly string[]])[] = [
  [t`Search and commands`, PALETTE_KEYS],
  [t`Focus the filter`, ["/"]],
  [t`Next row`, ["j"]],
  [t`Previous row`, ["k"]],
  [t`Open the row`, [t`Enter`]],
  [t`Help for this page`, ["h"]],
  [t`This list`, ["?"]],
  [t`Close the topmost panel`, [t`Esc`]],
];

export default function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const on = useShortcutsOn();
  const places = GO_TO.map(([key, text]) => [t`Go to ${text}`, ["g", key]] as const);
  return (
    <Modal isOpen variant="small" onClose={onClose} aria-labelledby="shortcuts-title">
      <ModalHeader title={t`Keyboard shortcuts`} labelId="shortcuts-title" />
      <ModalBody>
        <div className="vm-stack">
          <table className="vm-shortcuts">
            <caption className="pf-v6-screen-reader">
              <Trans>Keyboard shortcuts</Trans>
            </caption>
            <tbody>
              {[...SHORTCUTS, ...places].map(([text, keys]) => (
                <tr key={text}>
                  <th scope="row">{text}</th>
                  <td>
                    <KeyCaps keys={keys} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          <Switch
            id="shortcuts-on"
            label={t`Single-letter shortcuts`}
            isChecked={on}
            onChange={(_event, checked) => switchShortcuts(checked)}
          />
        </div>
      </ModalBody>
    </Modal>
  );
}

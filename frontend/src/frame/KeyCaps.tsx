export function KeyCaps({ keys }: { keys: readonly string[] }) {
  return (
    <span className="vm-keys">
      {keys.map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </span>
  );
}

import { marked, type Token, type Tokens } from "marked";
import { createElement, Fragment, type ReactNode } from "react";

/** Markdown's lexer writes these characters as entities. */
const plain = (text: string): string =>
  text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");

const all = (tokens: readonly Token[] | undefined): ReactNode =>
  tokens?.map((token, index) => <Fragment key={index}>{drawn(token)}</Fragment>);

function Table({ header, rows }: Tokens.Table) {
  return (
    <table className="vm-plain-table">
      <thead>
        <tr>
          {header.map((cell, index) => (
            <th key={index} scope="col">
              {all(cell.tokens)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={index}>
            {row.map((cell, column) => (
              <td key={column}>{all(cell.tokens)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** HTML in a text is never rendered as HTML. */
function drawn(token: Token): ReactNode {
  switch (token.type) {
    case "heading":
      return createElement(`h${Math.min(6, (token as Tokens.Heading).depth + 1)}`, null, all(token.tokens));
    case "paragraph":
      return <p>{all(token.tokens)}</p>;
    case "strong":
      return <strong>{all(token.tokens)}</strong>;
    case "em":
      return <em>{all(token.tokens)}</em>;
    case "codespan":
      return <code>{plain((token as Tokens.Codespan).text)}</code>;
    case "list": {
      const { ordered, items } = token as Tokens.List;
      return createElement(
        ordered ? "ol" : "ul",
        null,
        items.map((item, index) => <li key={index}>{all(item.tokens)}</li>),
      );
    }
    case "table":
      return <Table {...(token as Tokens.Table)} />;
    case "text":
      return token.tokens ? all(token.tokens) : plain((token as Tokens.Text).text);
    case "space":
      return null;
    default:
      return token.raw;
  }
}

export function Markdown({ text }: { text: string }) {
  return <div className="vm-manual-text">{all(marked.lexer(text))}</div>;
}

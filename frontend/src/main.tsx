import "@patternfly/react-core/dist/styles/base.css";
import "./ui/styles/base.css";
import "./ui/styles/frame.css";
import "./ui/styles/forms.css";
import "./ui/styles/parts.css";
import "./ui/styles/catalog.css";
import "./ui/styles/elements.css";
import "./ui/styles/overview.css";
import { speak } from "./words/language";

speak();
await import("./start");

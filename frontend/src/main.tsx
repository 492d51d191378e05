import "@patternfly/react-core/dist/styles/base.css";
import "./ui/styles/base.css";
import "./ui/styles/frame.css";
import "./ui/styles/forms.css";
import "./ui/styles/parts.css";
import "./ui/styles/catalog.css";
import "./ui/styles/elements.css";
import "./ui/styles/overview.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { RouterProvider } from "react-router/dom";
import { createQueryClient } from "./api/queries";
import { createRouter } from "./routes";
import { SessionGate } from "./frame/SessionGate";
import { startTheme } from "./ui/theme";

startTheme();
const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");
const queryClient = createQueryClient();
const router = createRouter();

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <SessionGate>
        <RouterProvider router={router} />
      </SessionGate>
    </QueryClientProvider>
  </StrictMode>,
);

import { t } from "@lingui/core/macro";
import type { Vnfc, VnfInstance } from "@/api/types";

/** The operation concerns one VNFC, or the whole instance. */
export const titleOf = (instance: VnfInstance, only: Vnfc | undefined): string =>
  only ? t`${only.title} of ${instance.name}` : instance.name;

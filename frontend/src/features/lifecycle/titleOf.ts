import { t } from "@lingui/core/macro";
import type { Vnfc, VnfInstance } from "@/api/types";

/** What an operation is of, in the title of its dialog: the instance, or one VNFC of it. */
export const titleOf = (instance: VnfInstance, only: Vnfc | undefined): string =>
  only ? t`${only.title} of ${instance.name}` : instance.name;
